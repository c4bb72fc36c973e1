/** The pages of the console, in the order of the navigation. */
import { NowPage } from "../pages/now/NowPage.tsx"
import { RequestsPage } from "../pages/requests/RequestsPage.tsx"
import { RoutePage } from "../pages/route/RoutePage.tsx"
import type { Page } from "./Page.ts"

export const pages: ReadonlyArray<Page> = [
  { path: "now", title: "Now", View: NowPage },
  { path: "requests", title: "Requests", View: RequestsPage },
  { path: "route", title: "Route", View: RoutePage }
]
