/** Complete records with unique ids. */
import { AccountId, defaultAccountId, defaultWorkspaceId } from "@signalbox/core"
import type { Budget, Guardrail } from "@signalbox/core/stores"
import {
  type ApiKey,
  KeyHash,
  type NewSealedCredential,
  type VideoJob
} from "@signalbox/core/stores"

const at = "2026-11-01T00:00:00.000Z"

export const guardrail = (): Guardrail => ({
  id: crypto.randomUUID(),
  name: "a guardrail",
  workspace_id: defaultWorkspaceId,
  description: null,
  allowed_models: null,
  allowed_providers: null,
  ignored_models: null,
  ignored_providers: null,
  allowed_data_regions: null,
  enforce_zdr: null,
  enforce_zdr_anthropic: null,
  enforce_zdr_google: null,
  enforce_zdr_openai: null,
  enforce_zdr_xai: null,
  enforce_zdr_other: null,
  enable_free_model_publication: null,
  enable_free_model_training: null,
  enable_paid_model_training: null,
  limit_usd: null,
  reset_interval: null,
  include_byok_in_budgets: false,
  created_at: at,
  updated_at: at
})

export const credential = (): NewSealedCredential => ({
  credential: {
    id: crypto.randomUUID(),
    name: "",
    label: "sk-one...xyz",
    provider: "acme",
    workspace_id: defaultWorkspaceId,
    allowed_api_key_hashes: null,
    allowed_models: null,
    allowed_user_ids: null,
    declared_zdr: null,
    disabled: false,
    is_byok_only: false,
    is_fallback: false,
    is_required: false,
    created_at: at
  },
  sealed: { keyId: "k1", ciphertext: crypto.randomUUID() }
})

export const budget = (limit_usd: number): Budget => ({
  id: crypto.randomUUID(),
  workspace_id: defaultWorkspaceId,
  limit_usd,
  reset_interval: "daily",
  created_at: at,
  updated_at: at
})

export const apiKey = (): ApiKey => {
  const hash = KeyHash.make((crypto.randomUUID() + crypto.randomUUID()).replaceAll("-", ""))
  return {
    hash,
    secret_hash: hash,
    former_secret: null,
    account: AccountId.make(crypto.randomUUID()),
    workspace: defaultWorkspaceId,
    kind: "organization",
    name: "a key",
    label: "sk-one...xyz",
    limit: null,
    limit_reset: null,
    include_byok_in_limit: false,
    disabled: false,
    expires_at: null,
    created_at: at,
    updated_at: null,
    creator_user_id: null,
    external_user: null,
    external_key_hash: null,
    rate_limit: null,
    host_rate_limit: null
  }
}

export const videoJob = (id: VideoJob["id"], changes: Partial<VideoJob>): VideoJob => ({
  id,
  version: 1,
  account: defaultAccountId,
  workspace: defaultWorkspaceId,
  kind: "member",
  mount: "",
  model: "a/film",
  request: { model: "a/film" },
  bytes: 1,
  dimensions: {},
  status: "pending",
  createdAt: 0,
  deadlineAt: 1,
  candidates: [],
  reservations: [],
  reservedUntil: 1,
  attempts: [],
  polls: 0,
  failedPolls: 0,
  ...changes
})
