/** What is spent: against every limit and budget, and over time. */
import type { PageProps } from "../../shell/Page.ts"
import { AlertList } from "./AlertList.tsx"
import { LimitList } from "./LimitList.tsx"
import { SpendOverTime } from "./SpendOverTime.tsx"
import { useFirstRange } from "./useFirstRange.ts"

export const SpendPage = ({ location: { query } }: PageProps) => {
  const firstRange = useFirstRange(query)
  return (
    <>
      {firstRange !== undefined && <SpendOverTime query={query} firstRange={firstRange} />}
      <AlertList />
      <LimitList />
    </>
  )
}
