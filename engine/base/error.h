// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <tl/expected.hpp>

namespace engine {

// What went wrong, by what the caller can do about it. The command line maps these to exit codes.
enum class ErrorCode {
    BadInput, // the caller's words are off: arguments, environment, file, URL
    NotFound, // the named table, row, queue or program is not there
    Ambiguous, // several things fit and the caller has to choose
    Refused, // a guard said no; the message names the way past it
    CannotConnect, // no connection could be made
    Unavailable, // an established connection was lost, or the server cannot take this now
    Timeout, // no answer within the deadline; the outcome is unknown
    Conflict, // somebody else changed it meanwhile
    Failed, // the server or the system reported an error of its own
    Cancelled, // stopped on request
};

// A failure as a value. `message` says what happened and to which thing, `hint` what to do next;
// both are translated, complete sentences, and never hold a secret.
struct Error
{
    ErrorCode code = ErrorCode::Failed;
    QString message;
    QString hint;
    bool retryable = false; // the same call may succeed later without any change by the caller
    QString detail; // what the server said, word for word; may be empty

    // Message and hint on one line, for logs and the terminal.
    [[nodiscard]] QString text() const;
};

template <typename T>
using Result = tl::expected<T, Error>;

[[nodiscard]] inline tl::unexpected<Error> fail(Error error)
{
    return tl::unexpected<Error>(std::move(error));
}

[[nodiscard]] inline tl::unexpected<Error> fail(ErrorCode code, QString message, QString hint = {})
{
    return tl::unexpected<Error>(Error{code, std::move(message), std::move(hint), false, {}});
}

} // namespace engine
