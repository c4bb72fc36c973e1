/** Calibration: how far the probabilities of Decisions can be trusted. */
import type { OperationResponse } from "@signalbox/core/contract"
import { useApi } from "../../api/useApi.ts"
import { Field } from "../../components/Field.tsx"
import { Loading } from "../../components/Loading.tsx"
import { setQuery } from "../../routing/location.ts"
import type { PageProps } from "../../shell/Page.ts"
import { answerTrust, describeMap } from "./describeTrust.ts"
import { MapDetail } from "./MapDetail.tsx"

/** Further maps are found by their model. */
const maxShown = 20

export const CalibrationPage = ({ location: { query } }: PageProps) => {
  const { kind, model } = query
  const calibration = useApi<"calibration.get">(
    "api/v1/signalbox/calibration",
    { kind, model },
    { every: 60_000 }
  )
  return (
    <>
      <div class="controls">
        <Field label="Model">
          <input
            value={model ?? ""}
            placeholder="all"
            onChange={({ currentTarget: { value } }) =>
              setQuery({ model: value.trim() === "" ? undefined : value.trim() })
            }
          />
        </Field>
        <Field label="Kind">
          <select
            value={kind ?? ""}
            onChange={({ currentTarget: { value } }) =>
              setQuery({ kind: value === "" ? undefined : value })
            }
          >
            <option value="">all</option>
            <option value="noul">noul</option>
            <option value="choice">choice</option>
            <option value="score">score</option>
          </select>
        </Field>
      </div>
      <Loading
        loaded={calibration}
        isEmpty={({ data: { maps } }) => maps.length === 0}
        empty={
          <>
            How far can I trust the probabilities? It is not known yet: ask Decisions with{" "}
            <code>{`calibration: { mode: "auto" }`}</code>, and label at least ten answers with{" "}
            <code>POST /api/v1/signalbox/calibration/samples</code>. Metadata says of a random 2 %
            that a label is wanted.
          </>
        }
      >
        {({ data: { maps } }: OperationResponse<"calibration.get">) => (
          <>
            <p class="sentence">How far can I trust the probabilities? {answerTrust(maps)}</p>
            {maps.slice(0, maxShown).map((map) => (
              <MapDetail key={`${map.method} ${describeMap(map)}`} map={map} />
            ))}
            {maps.length > maxShown && (
              <p class="muted">
                {maps.length - maxShown} more maps are found by their model and kind.
              </p>
            )}
          </>
        )}
      </Loading>
    </>
  )
}
