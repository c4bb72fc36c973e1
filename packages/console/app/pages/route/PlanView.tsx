/** A plan: who would be tried, in which order, and why the others would not. */
import { Funnel } from "../../charts/Funnel.tsx"
import { Badge } from "../../components/Badge.tsx"
import { Section } from "../../components/Section.tsx"
import { Table } from "../../components/Table.tsx"
import { type Plan, toCandidateId } from "./plan.ts"
import { toFunnel } from "./toFunnel.ts"

export const PlanView = ({ plan }: { readonly plan: Plan }) => (
  <>
    <Funnel caption="The funnel of this route" stages={toPlanFunnel(plan)} />
    <dl class="facts">
      <dt>Models</dt>
      <dd>{plan.models.join(", ")}</dd>
      <dt>Ordered by</dt>
      <dd>{plan.strategy}</dd>
      <dt>Configuration</dt>
      <dd>
        {plan.configuration} <span class="muted">seed {plan.seed}</span>
      </dd>
    </dl>
    <Section title="Tried, in this order">
      {plan.ordered.length === 0 ? (
        <div class="note note-bad">
          <span>
            No endpoint may serve this request.
            {plan.relax !== undefined &&
              plan.relax.length > 0 &&
              ` Relax ${plan.relax.map(({ rule, source, wanted }) => `${rule} (${wanted}, by ${source})`).join(" and ")}.`}
          </span>
        </div>
      ) : (
        <Table
          caption="Endpoints in the order in which they are tried"
          rows={plan.ordered.map((candidate, at) => ({ ...candidate, position: at + 1 }))}
          toKey={toCandidateId}
          columns={[
            { title: "#", isNumber: true, cell: ({ position }) => position },
            { title: "Endpoint", cell: toCandidateId },
            { title: "Provider", cell: ({ provider }) => provider },
            {
              title: "Notes",
              cell: ({ demoted = [], dropped = [], last_resort: isLastResort }) => (
                <>
                  {isLastResort === true && <Badge tone="warn">last resort</Badge>}
                  {demoted.map((reason) => (
                    <div key={reason.rule}>
                      <Badge tone="warn">moved back: {reason.rule}</Badge>{" "}
                      <span class="muted">
                        wanted {reason.wanted}, found {reason.found}
                      </span>
                    </div>
                  ))}
                  {dropped.length > 0 && <div class="muted">not sent: {dropped.join(", ")}</div>}
                </>
              )
            }
          ]}
        />
      )}
    </Section>
    <Section title="Left out">
      {plan.rejected.length === 0 ? (
        <div class="empty">Every endpoint of these models may serve the request.</div>
      ) : (
        <ReasonTable
          caption="Endpoints that are left out, with the rules"
          reasons={plan.rejected.flatMap((candidate) =>
            candidate.reasons.map((reason) => ({ ...reason, endpoint: toCandidateId(candidate) }))
          )}
        />
      )}
    </Section>
  </>
)

const toPlanFunnel = ({ ordered, rejected }: Plan) =>
  toFunnel(
    rejected.flatMap((candidate) =>
      candidate.reasons.map((reason) => ({ ...reason, endpoint: toCandidateId(candidate) }))
    ),
    ordered.map((candidate) => ({
      endpoint: toCandidateId(candidate),
      text: `${candidate.provider}${(candidate.demoted ?? []).map(({ rule }) => `, moved back by ${rule}`).join("")}`
    })),
    (count) =>
      count === 0 ? "None is left" : count === 1 ? "1 tried" : `${count} tried, in this order`
  )

interface EndpointReason {
  readonly endpoint: string
  readonly rule: string
  readonly source: string
  readonly wanted: string
  readonly found: string
}

/** Rules, what they wanted and what they found. */
export const ReasonTable = ({
  caption,
  reasons
}: {
  readonly caption: string
  readonly reasons: ReadonlyArray<EndpointReason>
}) => (
  <Table
    caption={caption}
    rows={reasons.map((reason, at) => ({ ...reason, key: `${at}` }))}
    toKey={({ key }) => key}
    columns={[
      { title: "Endpoint", cell: ({ endpoint }) => endpoint },
      { title: "Rule", cell: ({ rule }) => <Badge tone="bad">{rule}</Badge> },
      { title: "Set by", cell: ({ source }) => source },
      { title: "Wanted", cell: ({ wanted }) => wanted },
      { title: "Found", cell: ({ found }) => found }
    ]}
  />
)
