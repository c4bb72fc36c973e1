/** Experiments: whether a model on trial is better, and how near it is to being rolled back. */
import type { OperationResponse } from "@signalbox/core/contract"
import type { Session } from "../../api/request.ts"
import { useApi } from "../../api/useApi.ts"
import { Badge, type Tone } from "../../components/Badge.tsx"
import { Loading } from "../../components/Loading.tsx"
import { Money } from "../../components/Money.tsx"
import { ReadOnlyNote } from "../../components/ReadOnlyNote.tsx"
import { Section } from "../../components/Section.tsx"
import { Time } from "../../components/Time.tsx"
import { formatCount, formatShare } from "../../format/format.ts"
import type { PageProps } from "../../shell/Page.ts"
import { ArmTable } from "./ArmTable.tsx"
import type { Experiment } from "./Experiment.ts"
import { ExperimentActions } from "./ExperimentActions.tsx"
import { answerExperiment } from "./judgeCanary.ts"
import { RollbackLines } from "./RollbackLines.tsx"

export const ExperimentsPage = ({ session }: PageProps) => {
  const experiments = useApi<"experiments.list">(
    "api/v1/signalbox/experiments",
    {},
    { every: 10_000 }
  )
  return (
    <>
      <ReadOnlyNote session={session} group="experiments" actions="stop and restart experiments" />
      <Loading
        loaded={experiments}
        isEmpty={({ data }) => data.length === 0}
        empty={
          <>
            There is no experiment. Pass <code>experiments</code> to <code>Signalbox.make</code>,
            such as{" "}
            <code>{`[{ match: { model: "a" }, to: "b", mode: "canary", share: 0.05 }]`}</code>.
          </>
        }
      >
        {({ data }: OperationResponse<"experiments.list">) =>
          data.map((experiment) => (
            <Detail
              key={experiment.id}
              of={experiment}
              session={session}
              reload={experiments.reload}
            />
          ))
        }
      </Loading>
    </>
  )
}

const tones: Readonly<Record<Experiment["status"], Tone>> = {
  running: "good",
  rolled_back: "bad",
  spent: "warn",
  stopped: "plain"
}

const Detail = ({
  of: experiment,
  reload,
  session
}: {
  readonly of: Experiment
  readonly session: Session
  readonly reload: () => void
}) => {
  const { agreement, budget, ended_at: end, match, mode, skipped, status, to } = experiment
  return (
    <Section
      title={`${match.model} to ${to}`}
      aside={<ExperimentActions of={experiment} session={session} reload={reload} />}
    >
      <p class="sentence">
        {mode === "canary" ? "Is the canary better? " : "Would the shadow answer the same? "}
        {answerExperiment(experiment)}
      </p>
      <p class="small">
        <Badge tone={tones[status]}>{status.replace("_", " ")}</Badge> {mode} of{" "}
        {formatShare(experiment.share)}
        {match.operation !== null && ` of ${match.operation}`}
        {match.account !== null && ` of the account ${match.account}`} since{" "}
        <Time at={experiment.started_at} />
        {end !== null && (
          <>
            {" "}
            until <Time at={end} />: {experiment.cause}
          </>
        )}
        {budget !== null && (
          <>
            , budget <Money usd={budget} />
          </>
        )}
        {skipped > 0 && `, ${formatCount(skipped)} skipped`}
        {agreement.compared > 0 &&
          `, ${formatCount(agreement.agreed)} of ${formatCount(agreement.compared)} agree`}
      </p>
      <ArmTable of={experiment} />
      <RollbackLines of={experiment} />
    </Section>
  )
}
