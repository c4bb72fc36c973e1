/** A page of the console, whose code is loaded when it is opened. */
import type { ComponentType } from "preact"
import type { Session } from "../api/request.ts"
import type { Location } from "../routing/location.ts"

export interface PageProps {
  readonly session: Session
  readonly location: Location
}

export interface Page {
  /** The first segment of its addresses. */
  readonly path: string
  readonly title: string
  readonly group: PageGroup
  readonly load: () => Promise<ComponentType<PageProps>>
}

/** The parts of the navigation, in their order. */
export const pageGroups = ["Monitor", "Cost", "Routing", "Build", "Access"] as const
type PageGroup = (typeof pageGroups)[number]
