/** Usable credentials for tests; prioritised and for all callers by default. */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { Credential } from "../../src/tenants/byok/Credential.ts"
import type {
  CredentialRefusal,
  UsableCredential
} from "../../src/tenants/byok/UsableCredential.ts"

export interface UsableConfig extends Partial<Omit<Credential, "allowed_models">> {
  readonly id: string
  readonly provider: string
  readonly models: ReadonlyArray<string>
  /** Receives rejections. */
  readonly refusals?: Array<CredentialRefusal>
  /** Delays the report of a rejection. */
  readonly gate?: Effect.Effect<void>
  /** Default: `secret of <id>`; undefined cannot be unsealed. */
  readonly secret?: UsableCredential["secret"]
}

export const makeUsable = ({
  gate,
  models,
  refusals,
  secret,
  ...rest
}: UsableConfig): UsableCredential => ({
  credential: {
    name: "",
    label: "***",
    workspace_id: null,
    allowed_api_key_hashes: null,
    allowed_models: models,
    allowed_user_ids: null,
    declared_zdr: null,
    disabled: false,
    is_byok_only: false,
    is_fallback: false,
    is_required: false,
    sort_order: 0,
    created_at: "2026-01-02T03:04:05.678Z",
    ...rest
  },
  models: new Set(models),
  secret: secret ?? Effect.succeed(Redacted.make(`secret of ${rest.id}`)),
  reportRefusal: (refusal) =>
    Effect.andThen(
      Effect.sync(() => refusals?.push(refusal)),
      gate ?? Effect.void
    )
})
