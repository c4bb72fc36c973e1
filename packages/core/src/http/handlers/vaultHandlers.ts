/** Handlers of vaults. */
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { Interns } from "../../interns/Interns.ts"
import type { ResourceNotFound } from "../../values/errors/RequestErrors.ts"
import { SecretCopyRequest, SecretWriteRequest } from "../../vaults/SecretWriteRequest.ts"
import { Vaults } from "../../vaults/Vaults.ts"
import type { VaultId } from "../../vaults/VaultId.ts"
import type { VaultApi } from "../api/VaultApi.ts"
import type { LegacyContext, Handler, Handlers } from "../legacyHandlers.ts"
import { makeLegacyInternAccess } from "../InternAccess.ts"
import { makeWithTimeout } from "../makeWithTimeout.ts"
import { jsonResponse } from "../jsonResponse.ts"
import { requireWorkspaceKey } from "../requireWorkspaceKey.ts"
import { type ParameterReader, parseParameters } from "../QueryParameters.ts"
import { readJson } from "../readJson.ts"

export const vaultHandlers = Effect.gen(function* () {
  const interns = yield* Interns
  const requireInternAccess = yield* makeLegacyInternAccess
  const withTimeout = yield* makeWithTimeout
  const vaults = yield* Vaults

  const guarded =
    (handler: Handler): Handler =>
    (asked) =>
      withTimeout(handler(asked))

  const ownVault = ({ caller }: LegacyContext) => vaults.ofWorkspace(caller)
  const internVault = ({ caller, params }: LegacyContext) =>
    Effect.map(interns.find(caller, params["internId"] ?? ""), ({ vault }) => vault)

  const list = (vaultOf: GetVault): Handler =>
    requireWorkspaceKey(
      Effect.fnUntraced(function* (asked) {
        const page = yield* Effect.fromResult(parseParameters(asked.query, readSecretPage))
        const { hasMore, rows } = yield* vaults.list(asked.caller, yield* vaultOf(asked), page)
        return jsonResponse({ data: rows, has_more: hasMore })
      })
    )
  const put = (vaultOf: GetVault): Handler =>
    requireWorkspaceKey(
      Effect.fnUntraced(function* (asked) {
        const secret = yield* readSecret(asked.request)
        const vault = yield* vaultOf(asked)
        return jsonResponse({
          data: yield* vaults.put(asked.caller, vault, getName(asked), secret)
        })
      })
    )
  const remove = (vaultOf: GetVault): Handler =>
    requireWorkspaceKey((asked) =>
      Effect.flatMap(vaultOf(asked), (vault) =>
        Effect.as(vaults.remove(asked.caller, vault, getName(asked)), noContent)
      )
    )

  return {
    list: guarded(list(ownVault)),
    put: guarded(put(ownVault)),
    delete: guarded(remove(ownVault)),
    listOfIntern: guarded(requireInternAccess(list(internVault))),
    putOfIntern: guarded(requireInternAccess(put(internVault))),
    deleteOfIntern: guarded(requireInternAccess(remove(internVault))),
    copyToIntern: guarded(
      requireInternAccess(
        requireWorkspaceKey(
          Effect.fnUntraced(function* (asked) {
            const { names } = yield* readCopy(asked.request)
            const [from, to] = [yield* ownVault(asked), yield* internVault(asked)]
            return jsonResponse({ data: yield* vaults.copy(asked.caller, from, to, names) })
          })
        )
      )
    )
  } satisfies Handlers<typeof VaultApi>
})

/** Which vault an operation is about. */
type GetVault = (asked: LegacyContext) => Effect.Effect<VaultId, ResourceNotFound>

/** Source: semantics D2, body under 425,000 bytes: the longest value with each character escaped, and its hosts. */
const maxBytes = 424_999

const readSecret = readJson(SecretWriteRequest, { mostBytes: maxBytes })
const readCopy = readJson(SecretCopyRequest, { mostBytes: maxBytes })

const getName = ({ params }: LegacyContext): string => params["name"] ?? ""

/** Source: wire, parameters of listVaultSecrets. */
const readSecretPage = (read: ParameterReader) => ({
  limit: read.whole("limit", 1, 100) ?? 100,
  offset: read.whole("offset", 0, 10_000) ?? 0
})

const noContent = HttpServerResponse.empty({ status: 204 })
