/** Handlers of the operations on organizations. */
import * as Effect from "effect/Effect"
import {
  CurrentOrganization,
  type OrganizationMember
} from "../../domains/organization/Organization.ts"
import { ResourceNotFound } from "../../values/errors/RequestErrors.ts"
import { toOffsetRequest } from "../contract/pageQueries.ts"
import type { Handlers } from "../operation/Handler.ts"
import type { OrganizationApi } from "./OrganizationApi.ts"

export const organizationHandlers = Effect.gen(function* () {
  const list = yield* CurrentOrganization
  return {
    listMembers: Effect.fnUntraced(function* ({ query }, { caller: { account } }) {
      if (list === undefined) return yield* missing(account)
      const answer = list({ account, ...toOffsetRequest(query) })
      // Errors of the host are bugs.
      const page = yield* Effect.isEffect(answer)
        ? Effect.orDie(answer)
        : Effect.promise(async () => answer)
      if (page == null) return yield* missing(account)
      return { data: page.members.map(toMemberResponse), total_count: page.total }
    })
  } satisfies Handlers<typeof OrganizationApi>
})

const missing = (id: string): Effect.Effect<never, ResourceNotFound> =>
  Effect.fail(new ResourceNotFound({ resource: "organization", id }))

const toMemberResponse = ({ email, firstName, id, lastName, role }: OrganizationMember) => ({
  id,
  email,
  first_name: firstName ?? null,
  last_name: lastName ?? null,
  role: role === "admin" ? ("org:admin" as const) : ("org:member" as const)
})
