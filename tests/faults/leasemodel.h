// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <vector>

// The protocol of claim, renew, settle, release and requeue as a small model, and an explorer that visits every state
// which two dispatchers, an operator and the passing of time can bring about.
//
// In the model: one claim takes all waiting rows or all rows whose lease has run out, and writes one token to them. A
// handover succeeds or fails. An outcome or a renewal is one statement guarded by status and token, and its reply may
// get lost although it was carried out: then the dispatcher repeats the one, and keeps both tokens of the other. A
// dispatcher may hold several claims, freeze at any step, or die and start again. An operator cancels a row in any
// state with plain SQL, which leaves the token standing, and requeues final ones. Tokens never repeat.
namespace leasemodel {

// What the statements look at. As it stands: the real protocol. Each one switched off is a broken variant.
struct Rules
{
    bool settleChecksToken = true;
    bool tokenIsTheClaims = true; // else the dispatcher's, the same in all its claims
    bool settleChecksStatus = true;
    bool renewChecksToken = true;
    bool claimChecksLease = true; // of rows that are in flight
};

struct Size
{
    int rows = 1; // 1 or 2
    int claims = 3; // held at the same time, 1 to 3
    int failures = 1; // failed attempts after which the next makes a row dead
    int requeues = 1;
    int cancels = 1;
};

struct Result
{
    size_t states = 0;
    size_t steps = 0;
    std::string violation; // empty: everything holds
    std::vector<std::string> path; // how to get there, one step a line
    [[nodiscard]] std::string text() const;
};

// Stops at the first violation, by a shortest path. The invariants:
//  - a row is taken from nobody whose lease is running;
//  - an outcome or a renewal changes a row only for the claim that holds it now;
//  - a claim has at most one outcome, and a final row changes only by a requeue;
//  - a row is done only after it was handed over, and every failed attempt is charged once;
//  - from every state each row can still come to an end.
[[nodiscard]] Result explore(const Rules &rules, const Size &size);

} // namespace leasemodel
