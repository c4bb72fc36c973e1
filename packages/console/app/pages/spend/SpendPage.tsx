/** What is spent: against every limit and budget, and over time. */
import type { PageProps } from "../../shell/Page.ts"
import { LimitList } from "./LimitList.tsx"
import { SpendOverTime } from "./SpendOverTime.tsx"

export const SpendPage = ({ location: { query } }: PageProps) => (
  <>
    <SpendOverTime query={query} />
    <LimitList />
  </>
)
