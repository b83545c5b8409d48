// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace engine {

// A named place at which the fault tests let the process die or freeze, as a power cut or a long pause would. Does
// nothing in a build without tests. The environment chooses place, pass and fate:
//   OUTBOX_CRASH_POINT=after_claim        kill -9 at the first pass
//   OUTBOX_CRASH_POINT=after_enqueue:3    kill -9 at the third pass
//   OUTBOX_CRASH_POINT=before_done:1:stop SIGSTOP at the first pass; whoever watches sends SIGCONT
// Places: after_claim, after_enqueue, before_done, after_done (the dispatcher), in_retention.
void crashPoint(const char *name);

} // namespace engine
