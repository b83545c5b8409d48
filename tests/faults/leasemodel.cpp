// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "leasemodel.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <deque>
#include <string_view>
#include <unordered_map>

namespace leasemodel {

namespace {

using Byte = std::uint8_t;

constexpr int mostRows = 2;
constexpr int mostClaims = 3;
constexpr Byte dispatchers = 2;
constexpr Byte stale = 255; // a token that no row carries any more, and none ever will

enum Status : Byte { Waiting, InFlight, Done, Dead, Cancelled };
enum Phase : Byte { None, Held, Handed, Failed };

// All members are bytes, so that a state is its own key.
struct Row
{
    Byte status = Waiting;
    Byte token = 0;
    Byte lapsed = 0;
    Byte attempts = 0; // as the table has it
    Byte charged = 0; // as it ought to be
};
struct Claim
{
    Byte dispatcher = 0; // 0: free
    Byte token = 0; // that is certain
    Byte proposed = 0; // of a renewal whose reply was lost: the rows carry one or the other
    std::array<Byte, mostRows> phase{};
    std::array<Byte, mostRows> holds{}; // the truth, which nobody can see: this is the row's latest claim
    std::array<Byte, mostRows> ended{}; // an outcome of this claim took effect
};
struct State
{
    std::array<Row, mostRows> rows;
    std::array<Claim, mostClaims> claims;
    Byte requeues = 0;
    Byte cancels = 0;

    [[nodiscard]] std::string_view bytes() const { return {reinterpret_cast<const char *>(this), sizeof *this}; }
};
static_assert(std::has_unique_object_representations_v<State>);

struct Hash
{
    size_t operator()(const State &state) const { return std::hash<std::string_view>()(state.bytes()); }
};
struct Same
{
    bool operator()(const State &a, const State &b) const { return a.bytes() == b.bytes(); }
};

bool isFinal(const Row &row)
{
    return row.status == Done || row.status == Dead || row.status == Cancelled;
}

std::string rowName(int row)
{
    return std::string("row ") + static_cast<char>('A' + row);
}

std::string describe(const State &state, const Size &size)
{
    static constexpr std::array statuses{"waiting", "in flight", "done", "dead", "cancelled"};
    static constexpr std::array phases{"", "holds", "handed over", "failed to hand over"};
    std::string text;
    for (int r = 0; r < size.rows; ++r) {
        const Row &row = state.rows[r];
        text += rowName(r) + ' ' + statuses[row.status]
            + (row.status == InFlight && row.lapsed ? " past its lease" : "") + ", " + std::to_string(row.attempts)
            + " attempts; ";
    }
    for (int c = 0; c < size.claims; ++c) {
        const Claim &claim = state.claims[c];
        if (!claim.dispatcher)
            continue;
        text += "claim " + std::to_string(c + 1) + " of dispatcher " + std::to_string(claim.dispatcher);
        for (int r = 0; r < size.rows; ++r) {
            if (claim.phase[r] != None)
                text += std::string(" ") + phases[claim.phase[r]] + ' ' + static_cast<char>('A' + r)
                    + (claim.holds[r] ? "" : " (lost)");
        }
        text += "; ";
    }
    return text;
}

class Explorer
{
public:
    Explorer(const Rules &rules, const Size &size)
        : m_rules(rules)
        , m_size(size)
    { }

    Result run()
    {
        State start;
        start.requeues = static_cast<Byte>(m_size.requeues);
        start.cancels = static_cast<Byte>(m_size.cancels);
        add(start, 0, {});
        for (m_current = 0; m_current < m_states.size() && m_violation.empty(); ++m_current)
            expand(m_states[m_current]);
        if (m_violation.empty())
            findDeadEnds();
        Result result{m_states.size(), m_edges.size(), m_violation, {}};
        if (!m_violation.empty()) {
            std::deque<std::string> path;
            for (std::uint32_t at = m_violating; at != 0; at = m_from[at])
                path.push_front(m_how[at] + "\n      -> " + describe(m_states[at], m_size));
            result.path.assign(path.begin(), path.end());
            if (!m_lastStep.empty())
                result.path.push_back(m_lastStep);
        }
        return result;
    }

private:
    void violate(const std::string &what)
    {
        if (m_violation.empty())
            m_violation = what;
    }

    void add(State next, std::uint32_t from, const std::string &how)
    {
        if (!m_violation.empty() && m_lastStep.empty()) {
            m_violating = from;
            m_lastStep = how;
            return;
        }
        tidy(next);
        const auto [known, isNew] = m_index.try_emplace(next, static_cast<std::uint32_t>(m_states.size()));
        if (isNew) {
            m_states.push_back(next);
            m_from.push_back(from);
            m_how.push_back(how);
        }
        m_edges.emplace_back(from, known->second);
    }

    // Claims without anything left to do are forgotten; tokens are only ever compared, so their values are made small.
    void tidy(State &state) const
    {
        for (Claim &claim : state.claims) {
            if (claim.phase[0] == None && claim.phase[1] == None)
                claim = {};
        }
        if (!m_rules.tokenIsTheClaims)
            return;
        std::array<Byte, 256> small{};
        Byte count = 0;
        for (Row &row : state.rows) {
            if (row.token != 0 && small[row.token] == 0)
                small[row.token] = ++count;
            row.token = row.token == 0 ? Byte(0) : small[row.token];
        }
        for (Claim &claim : state.claims) {
            if (!claim.dispatcher)
                continue;
            claim.token = small[claim.token] ? small[claim.token] : stale;
            if (claim.proposed)
                claim.proposed = small[claim.proposed] ? small[claim.proposed] : stale;
        }
    }

    [[nodiscard]] Byte newToken(const State &state, Byte dispatcher) const
    {
        if (!m_rules.tokenIsTheClaims)
            return dispatcher;
        Byte most = 0;
        for (const Row &row : state.rows)
            most = std::max(most, row.token);
        return static_cast<Byte>(most + 1);
    }

    void expand(const State state)
    {
        const auto from = static_cast<std::uint32_t>(m_current);
        for (Byte dispatcher = 1; dispatcher <= dispatchers; ++dispatcher) {
            claim(state, from, dispatcher, false);
            claim(state, from, dispatcher, true);
            crash(state, from, dispatcher);
        }
        for (int c = 0; c < m_size.claims; ++c) {
            if (!state.claims[c].dispatcher)
                continue;
            const std::string who = "dispatcher " + std::to_string(state.claims[c].dispatcher);
            const std::string what = " claim " + std::to_string(c + 1);
            handOver(state, from, c, who);
            for (const bool isHeard : {true, false}) {
                const std::string reply = isHeard ? "" : ", and the reply is lost";
                settle(state, from, c, isHeard, who + " writes the outcome of" + what + reply);
                renew(state, from, c, isHeard, who + " renews" + what + reply);
            }
            release(state, from, c, who + " releases what it has not sent of" + what);
        }
        for (int r = 0; r < m_size.rows; ++r) {
            lapse(state, from, r);
            operate(state, from, r);
        }
    }

    void claim(State state, std::uint32_t from, Byte dispatcher, bool expired)
    {
        int slot = 0;
        while (slot < m_size.claims && state.claims[slot].dispatcher)
            ++slot;
        if (slot == m_size.claims)
            return;
        const Byte token = newToken(state, dispatcher);
        Claim mine;
        mine.dispatcher = dispatcher;
        mine.token = token;
        std::string taken;
        for (int r = 0; r < m_size.rows; ++r) {
            Row &row = state.rows[r];
            const bool due =
                expired ? row.status == InFlight && (row.lapsed || !m_rules.claimChecksLease) : row.status == Waiting;
            if (!due)
                continue;
            if (expired && !row.lapsed)
                violate(rowName(r) + " was taken while its lease was running");
            for (Claim &other : state.claims)
                other.holds[r] = 0;
            row.status = InFlight;
            row.token = token;
            row.lapsed = 0;
            mine.phase[r] = Held;
            mine.holds[r] = 1;
            taken += ' ' + rowName(r);
        }
        if (taken.empty())
            return;
        state.claims[slot] = mine;
        add(state, from,
            "dispatcher " + std::to_string(dispatcher) + " claims" + taken + (expired ? ", in flight," : "")
                + " as claim " + std::to_string(slot + 1));
    }

    void crash(State state, std::uint32_t from, Byte dispatcher)
    {
        bool had = false;
        for (Claim &claim : state.claims) {
            had = had || claim.dispatcher == dispatcher;
            if (claim.dispatcher == dispatcher)
                claim = {};
        }
        if (had)
            add(state, from, "dispatcher " + std::to_string(dispatcher) + " dies and starts again");
    }

    void handOver(const State &state, std::uint32_t from, int c, const std::string &who)
    {
        for (int r = 0; r < m_size.rows; ++r) {
            if (state.claims[c].phase[r] != Held)
                continue;
            State next = state;
            next.claims[c].phase[r] = Handed;
            add(next, from, who + " hands " + rowName(r) + " over");
            next.claims[c].phase[r] = Failed;
            add(next, from, who + " fails to hand " + rowName(r) + " over");
        }
    }

    [[nodiscard]] static bool carries(const Row &row, const Claim &claim)
    {
        return row.token != 0 && (row.token == claim.token || row.token == claim.proposed);
    }

    // Whether the guard of an outcome lets it through, and whether it may.
    bool passes(const State &state, const Claim &claim, int r)
    {
        const Row &row = state.rows[r];
        if (m_rules.settleChecksStatus && row.status != InFlight)
            return false;
        if (m_rules.settleChecksToken && !carries(row, claim))
            return false;
        if (claim.ended[r])
            violate("a claim of " + rowName(r) + " has two outcomes");
        else if (isFinal(row))
            violate(rowName(r) + " was final and was changed");
        else if (!claim.holds[r])
            violate("a claim that lost " + rowName(r) + " wrote its outcome");
        return true;
    }

    void settle(State state, std::uint32_t from, int c, bool isHeard, const std::string &how)
    {
        Claim &claim = state.claims[c];
        bool any = false;
        for (int r = 0; r < m_size.rows; ++r) {
            if (claim.phase[r] != Handed && claim.phase[r] != Failed)
                continue;
            any = true;
            Row &row = state.rows[r];
            if (passes(state, claim, r)) {
                claim.ended[r] = 1;
                claim.holds[r] = 0;
                row.token = 0;
                row.lapsed = 0;
                if (claim.phase[r] == Handed) {
                    row.status = Done;
                } else {
                    row.status = row.attempts >= m_size.failures ? Dead : Waiting;
                    ++row.attempts;
                    ++row.charged;
                }
            }
            if (isHeard)
                claim.phase[r] = None;
        }
        if (any)
            add(state, from, how);
    }

    void release(State state, std::uint32_t from, int c, const std::string &how)
    {
        Claim &claim = state.claims[c];
        bool any = false;
        for (int r = 0; r < m_size.rows; ++r) {
            if (claim.phase[r] != Held)
                continue;
            any = true;
            if (passes(state, claim, r)) {
                claim.ended[r] = 1;
                claim.holds[r] = 0;
                state.rows[r].status = Waiting;
                state.rows[r].token = 0;
                state.rows[r].lapsed = 0;
            }
            claim.phase[r] = None;
        }
        if (any)
            add(state, from, how);
    }

    void renew(State state, std::uint32_t from, int c, bool isHeard, const std::string &how)
    {
        Claim &claim = state.claims[c];
        const Claim known = claim;
        if (!isHeard && known.proposed)
            return;
        const Byte token = newToken(state, claim.dispatcher);
        bool any = false;
        for (int r = 0; r < m_size.rows; ++r) {
            Row &row = state.rows[r];
            const bool passing =
                claim.phase[r] != None && row.status == InFlight && (!m_rules.renewChecksToken || carries(row, known));
            if (!passing)
                continue;
            if (!claim.holds[r])
                violate("a claim that lost " + rowName(r) + " renewed its lease");
            any = true;
            row.token = token;
            row.lapsed = 0;
            claim.proposed = isHeard ? Byte(0) : token;
            if (isHeard)
                claim.token = token;
        }
        if (any)
            add(state, from, how);
    }

    void lapse(State state, std::uint32_t from, int r)
    {
        const Byte token = state.rows[r].token;
        if (state.rows[r].status != InFlight || state.rows[r].lapsed)
            return;
        for (Row &row : state.rows) { // one claim, one time
            if (row.status == InFlight && row.token == token)
                row.lapsed = 1;
        }
        add(state, from, "the lease of " + rowName(r) + " runs out");
    }

    void operate(State state, std::uint32_t from, int r)
    {
        Row &row = state.rows[r];
        if (isFinal(row) && state.requeues > 0) {
            State next = state;
            --next.requeues;
            next.rows[r] = {};
            for (Claim &claim : next.claims)
                claim.holds[r] = 0;
            add(next, from, "an operator requeues " + rowName(r));
        }
        if (!isFinal(row) && state.cancels > 0) {
            --state.cancels;
            row.status = Cancelled; // plain SQL: the token stays
            add(state, from, "an operator cancels " + rowName(r));
        }
    }

    // Backwards from the states in which all rows are final: what is not met is lost.
    void findDeadEnds()
    {
        std::vector<std::vector<std::uint32_t>> into(m_states.size());
        for (const auto &[from, to] : m_edges)
            into[to].push_back(from);
        std::vector<bool> ends(m_states.size(), false);
        std::deque<std::uint32_t> open;
        for (std::uint32_t at = 0; at < m_states.size(); ++at) {
            bool all = true;
            for (int r = 0; r < m_size.rows; ++r) {
                all = all && isFinal(m_states[at].rows[r]);
                if (m_states[at].rows[r].attempts != m_states[at].rows[r].charged)
                    violate("an attempt was not charged exactly once");
            }
            if (all) {
                ends[at] = true;
                open.push_back(at);
            }
        }
        while (!open.empty()) {
            for (const std::uint32_t from : into[open.front()]) {
                if (!ends[from]) {
                    ends[from] = true;
                    open.push_back(from);
                }
            }
            open.pop_front();
        }
        for (std::uint32_t at = 0; at < m_states.size() && m_violation.empty(); ++at) {
            if (!ends[at]) {
                violate("a row can never come to an end");
                m_violating = at;
            }
        }
    }

    const Rules m_rules;
    const Size m_size;
    std::vector<State> m_states;
    std::vector<std::uint32_t> m_from;
    std::vector<std::string> m_how;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> m_edges;
    std::unordered_map<State, std::uint32_t, Hash, Same> m_index;
    size_t m_current = 0;
    std::string m_violation;
    std::uint32_t m_violating = 0;
    std::string m_lastStep; // the one that broke an invariant
};

} // namespace

std::string Result::text() const
{
    std::string text = std::to_string(states) + " states, " + std::to_string(steps)
        + " steps: " + (violation.empty() ? "everything holds" : violation) + '\n';
    int number = 0;
    for (const std::string &step : path)
        text += "  " + std::to_string(++number) + ". " + step + '\n';
    return text;
}

Result explore(const Rules &rules, const Size &size)
{
    return Explorer(rules, size).run();
}

} // namespace leasemodel
