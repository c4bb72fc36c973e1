/** The keys that a server starts with, so that there is a first one. */
import { randomBytes } from "node:crypto"
import { defaultAccountId, type KeyConfig } from "@signalbox/core"
import { ApiKeyStore } from "@signalbox/core/stores"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { LoadedConfig } from "../config/loadConfig.ts"
import { readVariable } from "../readVariable.ts"
import type { ChosenStorage } from "../storage/chooseStorage.ts"
import { openStores } from "../storage/openStores.ts"
import { usageError } from "../usageError.ts"

/** The variable with a management key of the operator's choice. */
const managementKeyVariable = "SIGNALBOX_MANAGEMENT_KEY"

/** New keys, which are shown once. */
export interface NewKeys {
  /** Runs models for the organization. */
  readonly organization: string
  readonly management: string
}

interface ChosenKeys {
  /** The keys of the configuration, and the added ones. */
  readonly keys: ReadonlyArray<KeyConfig>
  readonly created: NewKeys | undefined
}

/**
 * Creates keys if neither the configuration nor the database has any. They are created only if they `canBeShown`,
 * because the output of a server without a terminal is kept in logs.
 */
export const chooseKeys = Effect.fnUntraced(function* (
  { keys = [], authenticate }: LoadedConfig["options"],
  storage: ChosenStorage,
  canBeShown: boolean
) {
  const given = yield* readVariable(managementKeyVariable)
  if (given !== undefined && given.length < leastCharacters) {
    return yield* usageError(
      `$${managementKeyVariable} must have at least ${leastCharacters} characters. For example: export ${managementKeyVariable}="sk-$(openssl rand -hex 32)"`
    )
  }
  const chosen: ChosenKeys = {
    keys:
      given === undefined
        ? keys
        : [...keys, { key: given, kind: "management", name: managementKeyVariable }],
    created: undefined
  }
  const authenticates = chosen.keys.length > 0 || authenticate !== undefined
  if (storage.kind === "own") return chosen
  // Opens the database in any case, so that its problems show before anything starts.
  const stored = yield* Effect.scoped(
    Effect.flatMap(openStores(storage), (stores) =>
      Context.get(stores, ApiKeyStore).count(defaultAccountId)
    )
  )
  if (authenticates || stored > 0) return chosen
  if (!canBeShown) {
    return yield* usageError(
      `There is no API key yet, and new ones are only shown on a terminal, because logs would keep them. ` +
        `Set $${managementKeyVariable} to a secret of your own, or start once on a terminal without --json, or set \`keys\` in the configuration`
    )
  }
  const created: NewKeys = { organization: generateKey(), management: generateKey() }
  return {
    created,
    keys: [
      { key: created.management, kind: "management", name: "first management key" },
      { key: created.organization, kind: "organization", name: "first key" }
    ]
  } satisfies ChosenKeys
})

const leastCharacters = 20

/** In the form of keys that are made over HTTP. */
const generateKey = (): string => `sk-sb-v1-${randomBytes(32).toString("hex")}`
