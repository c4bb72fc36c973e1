/** The pages of the console, in the order of the navigation. */
import { NowPage } from "../pages/now/NowPage.tsx"
import type { Page } from "./Page.ts"

export const pages: ReadonlyArray<Page> = [{ path: "now", title: "Now", View: NowPage }]
