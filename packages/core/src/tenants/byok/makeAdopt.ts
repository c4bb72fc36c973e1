/** Adopts the credentials that the host configures. */
import * as Digest from "effect/crypto/Digest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { maskSecret } from "../../engine/secrets/redact.ts"
import { toInvalidRequest } from "../../values/errors/toInvalidRequest.ts"
import { AccountId, WorkspaceId } from "../../values/ids/Ids.ts"
import { deriveId } from "../../values/ids/generateId.ts"
import { Workspaces } from "../workspaces/Workspaces.ts"
import { checkRoles } from "./checkRoles.ts"
import * as Credential from "./Credential.ts"
import type { HostCredential } from "./Credential.ts"
import type { CredentialSeals } from "./CredentialSeals.ts"
import { CredentialStore } from "./CredentialStore.ts"

/** Makes `adopt` of `Credentials`. */
export const makeAdopt = Effect.fnUntraced(function* ({
  open,
  seal
}: Pick<CredentialSeals, "open" | "seal">) {
  const digest = yield* Digest.Digest
  const store = yield* CredentialStore
  const workspaces = yield* Workspaces
  return Effect.fnUntraced(
    function* (said: string, given: HostCredential) {
      const account = AccountId.make(said)
      const plainKey = Redacted.isRedacted(given.key) ? Redacted.value(given.key) : given.key
      const { key, name, workspace_id, ...config } = yield* Effect.mapError(
        decodeNewCredential({ ...given, key: plainKey }),
        toInvalidRequest
      )
      const workspace =
        workspace_id === undefined ? null : yield* workspaces.find({ account }, workspace_id)
      // A deleted workspace must not prevent the start of the host.
      if (workspace === undefined) {
        return yield* Effect.logWarning(
          `a credential for ${config.provider} is left out: the account "${account}" has no workspace "${workspace_id}"`
        )
      }
      const id = yield* deriveId(digest, [account, config.provider, name ?? ""])
      yield* Effect.fromResult(checkRoles(config))
      const credential = Credential.make(config, {
        id,
        at: DateTime.formatIso(yield* DateTime.now),
        label: maskSecret(Redacted.value(key)),
        name,
        workspace: workspace === null ? null : WorkspaceId.make(workspace.id)
      })
      const sealed = yield* seal(account, credential, key)
      const before = yield* store.find(account, id)
      const isSame =
        before !== undefined &&
        (yield* Effect.match(open(account, before), {
          onSuccess: (opened) => Redacted.value(opened) === Redacted.value(key),
          onFailure: () => false
        }))
      yield* store.put(account, { credential, sealed }, isSame)
    },
    Effect.catchTag("InvalidRequest", ({ path, problem }) =>
      Effect.die(new RangeError(`credentials: ${[...path, problem].join(" ")}`))
    )
  )
})

const decodeNewCredential = Schema.decodeUnknownEffect(Credential.NewCredential)
