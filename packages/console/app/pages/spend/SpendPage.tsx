/** What is spent: against every limit and budget, and over time. */
import type { PageProps } from "../../shell/Page.ts"
import { AlertList } from "./AlertList.tsx"
import { LimitList } from "./LimitList.tsx"
import { MonthFigures } from "./MonthFigures.tsx"
import { SpendOverTime } from "./SpendOverTime.tsx"
import { useFirstRange } from "./useFirstRange.ts"

export const SpendPage = ({ location: { query }, session }: PageProps) => {
  const firstRange = useFirstRange(query)
  return (
    <>
      <MonthFigures />
      {firstRange !== undefined && <SpendOverTime query={query} firstRange={firstRange} />}
      <AlertList />
      <LimitList session={session} />
    </>
  )
}
