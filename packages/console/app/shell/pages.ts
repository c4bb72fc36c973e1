/** The pages of the console, in the order of the navigation. */
import { InternsPage } from "../pages/interns/InternsPage.tsx"
import { JobsPage } from "../pages/jobs/JobsPage.tsx"
import { KeysPage } from "../pages/keys/KeysPage.tsx"
import { NowPage } from "../pages/now/NowPage.tsx"
import { PresetsPage } from "../pages/presets/PresetsPage.tsx"
import { RequestsPage } from "../pages/requests/RequestsPage.tsx"
import { RoutePage } from "../pages/route/RoutePage.tsx"
import { SpendPage } from "../pages/spend/SpendPage.tsx"
import type { Page } from "./Page.ts"

export const pages: ReadonlyArray<Page> = [
  { path: "now", title: "Now", View: NowPage },
  { path: "requests", title: "Requests", View: RequestsPage },
  { path: "route", title: "Route", View: RoutePage },
  { path: "spend", title: "Spend", View: SpendPage },
  { path: "jobs", title: "Jobs", View: JobsPage },
  { path: "presets", title: "Presets", View: PresetsPage },
  { path: "interns", title: "Interns", View: InternsPage },
  { path: "keys", title: "Keys & audit", View: KeysPage }
]
