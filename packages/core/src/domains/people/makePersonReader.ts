/** Collects what stores keep of a person. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { type AuditEntry, AuditLog } from "../../engine/observability/audit/AuditLog.ts"
import { FailedRequestStore } from "../../engine/observability/failures/FailedRequest.ts"
import type { GenerationPageRequest } from "../../engine/observability/generations/GenerationFilter.ts"
import { GenerationStore } from "../../engine/observability/generations/GenerationStore.ts"
import { noSpend, SpendCounters } from "../../engine/ledger/SpendCounters.ts"
import * as Subject from "../../engine/ledger/Subject.ts"
import { ApiKeyStore } from "../../tenants/auth/keys/ApiKeyStore.ts"
import type { Member } from "../../tenants/workspaces/Workspace.ts"
import { WorkspaceStore } from "../../tenants/workspaces/WorkspaceStore.ts"
import { defaultWorkspaceId, UserId } from "../../values/ids/Ids.ts"
import { unlimitedPage } from "../../values/pages/OffsetPage.ts"
import { FeedbackStore } from "../feedback/FeedbackStore.ts"
import { VideoStore } from "../videos/VideoStore.ts"
import type { Person } from "./PersonStore.ts"

export const makePersonReader = Effect.gen(function* () {
  const auditLog = yield* AuditLog
  const failures = yield* FailedRequestStore
  const feedbacks = yield* FeedbackStore
  const keyStore = yield* ApiKeyStore
  const records = yield* GenerationStore
  const spend = yield* SpendCounters
  const videos = yield* VideoStore
  const workspaces = yield* WorkspaceStore

  const listMemberships = Effect.fnUntraced(function* ({ account, kind, name }: Person) {
    if (kind !== "user") return []
    const { rows } = yield* workspaces.list(account, unlimitedPage)
    const memberships: Array<Member> = []
    for (const { id } of rows) {
      const members = yield* workspaces.members(account, id, unlimitedPage)
      memberships.push(...members.rows.filter(({ user_id }) => user_id === name))
    }
    return memberships
  })

  /** The changes that the person made, among the latest of the account. */
  const listChanges = Effect.fnUntraced(function* ({ account, kind, name }: Person) {
    const changes: Array<AuditEntry> = []
    if (kind !== "user") return changes
    let after: number | undefined
    for (let read = 0; read < maxReadEntries; read += pageSize) {
      const { nextCursor, rows } = yield* auditLog.list(account, {
        limit: pageSize,
        ...(after === undefined ? undefined : { after })
      })
      changes.push(...rows.filter(({ actor }) => actor.user === name))
      if (nextCursor === undefined) break
      after = nextCursor
    }
    return changes
  })

  return {
    /** Everything but the records, which may be many. */
    read: Effect.fnUntraced(function* (person: Person) {
      const { account, kind, name } = person
      const keys = yield* keyStore.list(account, { includeDisabled: true }, unlimitedPage)
      const failed =
        kind === "user"
          ? yield* failures.list({ account, includesUnauthenticated: false }, maxReadEntries)
          : []
      const given = yield* feedbacks.list({ account }, { limit: maxReadEntries })
      const jobs = yield* videos.list(account, {}, unlimitedPage)
      const subject = Subject.fromUser(
        { account, workspace: defaultWorkspaceId },
        UserId.make(name)
      )
      const spends =
        kind === "user"
          ? yield* spend.findSpend([subject], yield* Clock.currentTimeMillis)
          : new Map()
      return {
        keys: keys.rows.filter((key) =>
          kind === "user"
            ? key.user === name || key.creator_user_id === name
            : key.external_user === name
        ),
        memberships: yield* listMemberships(person),
        changes: yield* listChanges(person),
        failures: failed.filter(({ caller }) => caller?.user === name),
        feedback: given.rows.filter(({ generation, givenBy }) =>
          kind === "user"
            ? givenBy.user === name || generation.user === name
            : generation.externalUser === name
        ),
        videos: jobs.rows.filter((job) =>
          kind === "user" ? job.user === name : job.request.user === name
        ),
        spend: spends.get(subject) ?? noSpend
      }
    }),
    /** The records, the latest first. */
    listRecords: ({ account, kind, name }: Person, page: GenerationPageRequest) =>
      records.list(
        { account, ...(kind === "user" ? { user: name } : { externalUser: name }) },
        page
      )
  }
})

/** How many audit entries, failed requests and feedback of the account are searched, the latest ones. */
const maxReadEntries = 10_000
const pageSize = 1_000
