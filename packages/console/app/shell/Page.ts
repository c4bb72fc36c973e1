/** A page of the console. */
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
  readonly View: ComponentType<PageProps>
}
