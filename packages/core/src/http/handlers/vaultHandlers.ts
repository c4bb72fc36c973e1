/** Handlers of vaults. */
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { Interns } from "../../interns/Interns.ts"
import type { Missing } from "../../values/RequestErrors.ts"
import { SecretCopy, SecretWrite } from "../../vaults/SecretWrite.ts"
import { Vaults } from "../../vaults/Vaults.ts"
import type { VaultId } from "../../vaults/VaultId.ts"
import type { VaultApi } from "../api/VaultApi.ts"
import type { Asked, Handler, Handlers } from "../Asked.ts"
import { internDoors } from "../internDoors.ts"
import { inTime } from "../inTime.ts"
import { jsonAnswer } from "../jsonAnswer.ts"
import { ofKeyedWorkspace } from "../ofKeyedWorkspace.ts"
import { type ParameterReader, readParameters } from "../Parameters.ts"
import { readJson } from "../readJson.ts"

export const vaultHandlers = Effect.gen(function* () {
  const interns = yield* Interns
  const behindDoors = yield* internDoors
  const bounded = yield* inTime
  const vaults = yield* Vaults

  const guarded =
    (handler: Handler): Handler =>
    (asked) =>
      bounded(handler(asked))

  const ownVault = ({ caller }: Asked) => vaults.ofWorkspace(caller)
  const internVault = ({ caller, params }: Asked) =>
    Effect.map(interns.find(caller, params["internId"] ?? ""), ({ vault }) => vault)

  const list = (vaultOf: VaultOf): Handler =>
    ofKeyedWorkspace(
      Effect.fnUntraced(function* (asked) {
        const page = yield* Effect.fromResult(readParameters(asked.query, readSecretPage))
        const { hasMore, rows } = yield* vaults.list(asked.caller, yield* vaultOf(asked), page)
        return jsonAnswer({ data: rows, has_more: hasMore })
      })
    )
  const put = (vaultOf: VaultOf): Handler =>
    ofKeyedWorkspace(
      Effect.fnUntraced(function* (asked) {
        const secret = yield* readSecret(asked.request)
        const vault = yield* vaultOf(asked)
        return jsonAnswer({ data: yield* vaults.put(asked.caller, vault, nameOf(asked), secret) })
      })
    )
  const remove = (vaultOf: VaultOf): Handler =>
    ofKeyedWorkspace((asked) =>
      Effect.flatMap(vaultOf(asked), (vault) =>
        Effect.as(vaults.remove(asked.caller, vault, nameOf(asked)), noContent)
      )
    )

  return {
    list: guarded(list(ownVault)),
    put: guarded(put(ownVault)),
    delete: guarded(remove(ownVault)),
    listOfIntern: guarded(behindDoors(list(internVault))),
    putOfIntern: guarded(behindDoors(put(internVault))),
    deleteOfIntern: guarded(behindDoors(remove(internVault))),
    copyToIntern: guarded(
      behindDoors(
        ofKeyedWorkspace(
          Effect.fnUntraced(function* (asked) {
            const { names } = yield* readCopy(asked.request)
            const [from, to] = [yield* ownVault(asked), yield* internVault(asked)]
            return jsonAnswer({ data: yield* vaults.copy(asked.caller, from, to, names) })
          })
        )
      )
    )
  } satisfies Handlers<typeof VaultApi>
})

/** Which vault an operation is about. */
type VaultOf = (asked: Asked) => Effect.Effect<VaultId, Missing>

/** Source: semantics D2, body under 425,000 bytes: the longest value with each character escaped, and its hosts. */
const mostBytes = 424_999

const readSecret = readJson(SecretWrite, { mostBytes })
const readCopy = readJson(SecretCopy, { mostBytes })

const nameOf = ({ params }: Asked): string => params["name"] ?? ""

/** Source: wire, parameters of listVaultSecrets. */
const readSecretPage = (read: ParameterReader) => ({
  limit: read.whole("limit", 1, 100) ?? 100,
  offset: read.whole("offset", 0, 10_000) ?? 0
})

const noContent = HttpServerResponse.empty({ status: 204 })
