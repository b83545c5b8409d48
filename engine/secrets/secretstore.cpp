// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "secretstore.h"

namespace engine::secrets {

SecretStore::~SecretStore() = default;

} // namespace engine::secrets
