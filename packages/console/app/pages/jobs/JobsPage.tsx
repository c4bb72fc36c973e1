/** What is done in the background: video jobs, webhook deliveries, and the steps behind them. */
import type { PageProps } from "../../shell/Page.ts"
import { BackgroundSteps } from "./BackgroundSteps.tsx"
import { DeadSteps } from "./DeadSteps.tsx"
import { DeliveryList } from "./DeliveryList.tsx"
import { VideoList } from "./VideoList.tsx"

export const JobsPage = ({ location: { query }, session }: PageProps) => (
  <>
    <VideoList session={session} state={query["videos"]} />
    <DeliveryList session={session} state={query["deliveries"]} />
    <BackgroundSteps />
    <DeadSteps />
  </>
)
