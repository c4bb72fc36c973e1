/** The processes that share the store: what each runs, what waits in it, and what it holds back. */
import { useApi } from "../../api/useApi.ts"
import { Loading } from "../../components/Loading.tsx"
import { Section } from "../../components/Section.tsx"
import { BreakerTable } from "./BreakerTable.tsx"
import { describeDifferences } from "./describeDifferences.ts"
import { ProcessTable } from "./ProcessTable.tsx"

export const FleetPage = () => {
  const fleet = useApi<"live.listProcesses">(
    "api/v1/signalbox/processes",
    {},
    // As often as processes report.
    { every: 5_000 }
  )
  if (fleet.error?.status === 403) {
    return <div class="empty">Processes are of the host: its own account sees them.</div>
  }
  return (
    <Loading loaded={fleet}>
      {({ data: { at, processes } }) => (
        <>
          {describeDifferences(processes).map((text) => (
            <div class="note note-bad" role="alert" key={text}>
              <span>{text}</span>
            </div>
          ))}
          <Section title="Processes">
            <ProcessTable processes={processes} now={Date.parse(at)} />
          </Section>
          <Section title="Breakers that are not closed">
            <BreakerTable processes={processes} now={Date.parse(at)} />
          </Section>
        </>
      )}
    </Loading>
  )
}
