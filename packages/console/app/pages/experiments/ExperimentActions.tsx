/** Stops an experiment, or starts one anew that has ended. */
import { act, isAllowed, type Session } from "../../api/request.ts"
import { ActionButton } from "../../components/ActionButton.tsx"
import type { Experiment } from "./Experiment.ts"

export const ExperimentActions = ({
  of: { id, match, mode, status, to },
  reload,
  session
}: {
  readonly of: Experiment
  readonly session: Session
  readonly reload: () => void
}) => {
  if (!isAllowed(session, "experiments")) return null
  const path = `api/v1/signalbox/experiments/${encodeURIComponent(id)}`
  const about = `${match.model} to ${to}`
  const restart = async () => {
    await act<"experiments.restart">(session, "POST", `${path}/restart`)
    return "The experiment runs again, with nothing measured."
  }
  return status === "running" ? (
    <ActionButton
      label="Stop experiment"
      isDestructive
      about={about}
      run={async () => {
        await act<"experiments.stop">(session, "POST", `${path}/stop`)
        return "The experiment is stopped."
      }}
      onDone={reload}
    >
      {mode === "canary"
        ? `All requests for ${match.model} go to it from now on, in every process within seconds.`
        : `No more requests for ${match.model} are copied to ${to}.`}{" "}
      What it measured stays. A restart begins with nothing measured.
    </ActionButton>
  ) : (
    <ActionButton label="Restart experiment" about={about} run={restart} onDone={reload}>
      {mode === "canary"
        ? `${to} answers its share of the requests for ${match.model} again`
        : `${to} gets copies of its share of the requests for ${match.model} again`}
      , with its whole budget. What it measured before no longer counts.
    </ActionButton>
  )
}
