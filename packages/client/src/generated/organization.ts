/** Organization: the operations of the group `organization`. `npm run docs` writes this file from the contract. */
import type { CallOptions, Connection } from "../Connection.ts"
import type { Paged } from "../Paged.ts"

export interface Organization {
  readonly id: string
  readonly email: string
  readonly first_name: string | null
  readonly last_name: string | null
  readonly role: "org:admin" | "org:member"
}

export interface OrganizationListMembersInput {
  /** Number of items to skip. */
  readonly offset?: number
  /** Number of items to return. */
  readonly limit?: number
}

export interface OrganizationListMembersPage {
  readonly data: ReadonlyArray<Organization>
  readonly total_count: number
}

/** Organization. */
export const organization = (connection: Connection) => ({
  /** List the people of the account, as the application of the host knows them. */
  listMembers: (
    input?: OrganizationListMembersInput,
    options?: CallOptions
  ): Paged<OrganizationListMembersPage, Organization> =>
    connection.list<Organization, OrganizationListMembersPage>(
      "GET /api/v1/organization/members",
      input,
      options
    )
})
