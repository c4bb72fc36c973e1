/** Selects the credentials that a request may use. */
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { memoize } from "effect/Function"
import type { Configuration } from "../../engine/catalog/Configuration.ts"
import type { Model } from "../../engine/catalog/model/Model.ts"
import type { AccountId } from "../../values/ids/Ids.ts"
import type { Caller } from "../auth/Caller.ts"
import type { Credential } from "./Credential.ts"
import type { CredentialSeals } from "./CredentialSeals.ts"
import type { CredentialStore } from "./CredentialStore.ts"
import {
  type CredentialRefusal,
  type SealedCredential,
  type UsableCredential,
  appliesTo
} from "./UsableCredential.ts"
import * as Step from "../../values/Step.ts"

type Aliases = Pick<Configuration, "resolve">

export const makeUsableCredentials = (
  store: CredentialStore["Service"],
  { open }: Pick<CredentialSeals, "open">
) => {
  const recordRefusal = (
    account: AccountId,
    { credential, sealed }: SealedCredential,
    { at, kind, status }: CredentialRefusal
  ) =>
    store
      .recordRefusal(account, credential.id, sealed, {
        at: DateTime.formatIso(DateTime.makeUnsafe(at)),
        kind,
        status: status ?? null
      })
      .pipe(
        Effect.catchCause((cause) =>
          Effect.logError(`the refusal of credential ${credential.id} was not recorded`, cause)
        )
      )

  const toUsable = (
    kept: SealedCredential,
    caller: Caller,
    models: ReadonlyArray<Model>,
    configuration: Aliases
  ): ReadonlyArray<UsableCredential> => {
    const { account } = caller
    const { credential } = kept
    if (!appliesTo(credential, caller)) return []
    const covered = listCoveredModels(credential, models, configuration)
    if (covered.size === 0 && !credential.is_byok_only) return []
    return [
      {
        credential,
        models: covered,
        get secret() {
          return open(account, kept)
        },
        reportRefusal: (refusal) => recordRefusal(account, kept, refusal)
      }
    ]
  }

  /**
   * The credentials of a request. Memoized, because everything they depend on is immutable, and most requests share
   * it with others.
   */
  const getSelections = memoize((rows: ReadonlyArray<SealedCredential>) =>
    memoize((caller: Caller) =>
      memoize((configuration: Aliases) =>
        memoize((models: ReadonlyArray<Model>) =>
          rows.flatMap((kept) => toUsable(kept, caller, models, configuration))
        )
      )
    )
  )

  return (caller: Caller, models: ReadonlyArray<Model>, configuration: Aliases) =>
    Step.map(store.listEnabled(caller.account), (rows) =>
      rows.length === 0 ? noCredentials : getSelections(rows)(caller)(configuration)(models)
    )
}

const noCredentials: ReadonlyArray<UsableCredential> = []

/** `allowed_models` names models as requests do: by id, canonical slug or alias. */
const listCoveredModels = (
  { allowed_models }: Credential,
  models: ReadonlyArray<Model>,
  { resolve }: Aliases
): ReadonlySet<string> => {
  const ids = models.map(({ id }) => id)
  if (allowed_models === null) return new Set(ids)
  const allowed = new Set<string>(allowed_models.map((slug) => resolve(slug)?.model.id ?? slug))
  return new Set(ids.filter((id) => allowed.has(id)))
}
