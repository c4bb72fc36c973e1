/** Whose limit it is, for the text of an alert and for the webhook that receives it. */
import * as Effect from "effect/Effect"
import type { Limit } from "../../engine/ledger/Limit.ts"
import { ApiKeyStore } from "../../tenants/auth/keys/ApiKeyStore.ts"
import {
  toBundleGuardrailId,
  toBundleGuardrailName
} from "../../tenants/guardrails/BundleGuardrails.ts"
import { GuardrailStore } from "../../tenants/guardrails/GuardrailStore.ts"
import { makeDefault } from "../../tenants/workspaces/Workspace.ts"
import { WorkspaceStore } from "../../tenants/workspaces/WorkspaceStore.ts"
import { type AccountId, defaultWorkspaceId, KeyHash } from "../../values/ids/Ids.ts"
import { findJson, toList } from "../../values/json/guards.ts"

export interface LimitOwner {
  /** The workspace that the limit belongs to; the default one for limits of the whole account. */
  readonly workspace: string
  /** The name of the workspace, key, guardrail, budget or experiment that sets the limit. */
  readonly name: string | null
  readonly guardrail: string | null
  readonly keyHash: string | null
  /** The name of that key. */
  readonly keyName: string | null
  readonly user: string | null
}

/** Limits are identified by what sets them and by the subject whose spending counts; both are JSON. */
export const makeFindLimitOwner = Effect.gen(function* () {
  const guardrails = yield* GuardrailStore
  const keys = yield* ApiKeyStore
  const workspaces = yield* WorkspaceStore

  const findSubject = Effect.fnUntraced(function* (account: AccountId, { subject }: Limit) {
    const [kind, first, second, third] = parseParts(subject)
    if (kind === "key" && first !== undefined) {
      const key = yield* keys.find(account, KeyHash.make(first))
      return {
        ...unowned,
        keyHash: first,
        keyName: key?.name ?? null,
        workspace: key?.workspace ?? defaultWorkspaceId
      }
    }
    if (kind === "user") return { ...unowned, user: second ?? null }
    const workspace = second ?? defaultWorkspaceId
    return kind === "member"
      ? { ...unowned, workspace, user: third ?? null }
      : { ...unowned, workspace }
  })

  return Effect.fnUntraced(function* (
    account: AccountId,
    limit: Limit
  ): Effect.fn.Return<LimitOwner> {
    const [, owner] = parseParts(limit.id)
    const subject = yield* findSubject(account, limit)
    switch (limit.kind) {
      case "workspace": {
        const workspace = owner ?? defaultWorkspaceId
        const found = yield* workspaces.findById(account, workspace)
        // The default workspace is stored at its first use.
        const name = workspace === defaultWorkspaceId ? makeDefault("").name : null
        return { ...unowned, workspace, name: found?.name ?? name }
      }
      case "key":
        return { ...subject, name: subject.keyName ?? subject.user }
      case "guardrail": {
        const { workspace } = subject
        if (owner === toBundleGuardrailId(workspace)) {
          const bundle = (yield* workspaces.findById(account, workspace))?.customer?.bundle
          const name = bundle === undefined ? null : toBundleGuardrailName(bundle)
          return { ...subject, guardrail: owner, name }
        }
        const guardrail = owner === undefined ? undefined : yield* guardrails.find(account, owner)
        return {
          ...subject,
          workspace: guardrail?.workspace_id ?? workspace,
          guardrail: owner ?? null,
          name: guardrail?.name ?? null
        }
      }
      case "budget": {
        const budget =
          owner === undefined ? undefined : yield* workspaces.scopedBudgets.find(account, owner)
        return {
          ...unowned,
          workspace: budget?.workspace_id ?? defaultWorkspaceId,
          name: limit.name ?? null
        }
      }
      case "experiment":
        return { ...unowned, name: limit.id }
      case "credits":
        return unowned
    }
  })
})

const unowned: LimitOwner = {
  workspace: defaultWorkspaceId,
  name: null,
  guardrail: null,
  keyHash: null,
  keyName: null,
  user: null
}

/** The texts of a list in JSON; none for anything else. */
const parseParts = (text = ""): ReadonlyArray<string> => toList(findJson(text)).map(String)
