/** The people of an account, whom only the application of the host knows. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

/** A person of an organization. */
export interface OrganizationMember {
  /** The id by which requests name the user. */
  readonly id: string
  readonly email: string
  readonly firstName?: string | null
  readonly lastName?: string | null
  /** Default: `member`. */
  readonly role?: "admin" | "member"
}

/** A page of the people of an organization. */
export interface OrganizationPage {
  readonly members: ReadonlyArray<OrganizationMember>
  /** How many people there are on all pages. */
  readonly total: number
}

type OrganizationAnswer = OrganizationPage | null | undefined

/**
 * A function of the host that returns a page of the people of an account, directly, as a promise or as an effect; nothing for an
 * account that is no organization.
 */
export type ListOrganization = (page: {
  readonly account: string
  readonly offset: number
  readonly limit: number
}) => OrganizationAnswer | Promise<OrganizationAnswer> | Effect.Effect<OrganizationAnswer, unknown>

/** The function of the host; undefined: no account is an organization. */
export const CurrentOrganization: Context.Reference<ListOrganization | undefined> =
  Context.Reference("@signalbox/core/domains/organization/CurrentOrganization", {
    defaultValue: (): ListOrganization | undefined => undefined
  })
