/** Creates the table of traffic controls, whose changes other processes hear of. */
import type { Dialect } from "../../connection/dialect.ts"

export const trafficControls = (dialect: Dialect): ReadonlyArray<string> => [
  `CREATE TABLE traffic_controls (
    kind text NOT NULL,
    id text NOT NULL,
    document text NOT NULL,
    PRIMARY KEY (kind, id)
  )`,
  ...(dialect === "sqlite"
    ? []
    : [
        `CREATE TRIGGER notify_change AFTER INSERT OR UPDATE OR DELETE ON traffic_controls
          FOR EACH ROW EXECUTE FUNCTION notify_change('traffic')`
      ])
]
