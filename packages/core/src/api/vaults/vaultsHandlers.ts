/** Handlers of the vault operations. */
import * as Effect from "effect/Effect"
import type { Caller } from "../../tenants/auth/Caller.ts"
import { Interns } from "../../domains/interns/Interns.ts"
import { Vaults } from "../../domains/vaults/Vaults.ts"
import { toOffsetRequest } from "../contract/pageQueries.ts"
import type { VaultsApi } from "./VaultsApi.ts"
import type { Handlers } from "../operation/Handler.ts"

export const vaultsHandlers = Effect.gen(function* () {
  const interns = yield* Interns
  const vaults = yield* Vaults

  const internVault = (caller: Caller, internId: string) =>
    Effect.map(interns.get(caller, internId), ({ vault }) => vault)

  return {
    list: Effect.fnUntraced(function* ({ query }, { caller }) {
      const vault = yield* vaults.ofWorkspace(caller)
      return toSecretPage(yield* vaults.list(caller, vault, toOffsetRequest(query)))
    }),
    put: Effect.fnUntraced(function* ({ params, payload }, { caller }) {
      const vault = yield* vaults.ofWorkspace(caller)
      return { data: yield* vaults.put(caller, vault, params.name, payload) }
    }),
    delete: Effect.fnUntraced(function* ({ params }, { caller }) {
      yield* vaults.remove(caller, yield* vaults.ofWorkspace(caller), params.name)
    }),
    listForIntern: Effect.fnUntraced(function* ({ params, query }, { caller }) {
      const vault = yield* internVault(caller, params.internId)
      return toSecretPage(yield* vaults.list(caller, vault, toOffsetRequest(query)))
    }),
    putForIntern: Effect.fnUntraced(function* ({ params, payload }, { caller }) {
      const vault = yield* internVault(caller, params.internId)
      return { data: yield* vaults.put(caller, vault, params.name, payload) }
    }),
    deleteForIntern: Effect.fnUntraced(function* ({ params }, { caller }) {
      yield* vaults.remove(caller, yield* internVault(caller, params.internId), params.name)
    }),
    copyToIntern: Effect.fnUntraced(function* ({ params, payload }, { caller }) {
      const from = yield* vaults.ofWorkspace(caller)
      const to = yield* internVault(caller, params.internId)
      return { data: yield* vaults.copy(caller, from, to, payload.names) }
    })
  } satisfies Handlers<typeof VaultsApi>
})

const toSecretPage = <A>({
  hasMore,
  rows
}: {
  readonly hasMore: boolean
  readonly rows: ReadonlyArray<A>
}) => ({ data: rows, has_more: hasMore })
