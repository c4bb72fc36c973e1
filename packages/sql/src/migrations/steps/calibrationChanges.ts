/** On Postgres, notifies other processes of fitted maps and forgotten labels, as `changes.ts` does of other rows. */
import type { Dialect } from "../../connection/dialect.ts"

export const calibrationChanges = (dialect: Dialect): ReadonlyArray<string> =>
  dialect === "sqlite"
    ? []
    : ["calibration_accounts", "calibration_maps"].map(
        (table) => `CREATE TRIGGER notify_change AFTER INSERT OR UPDATE OR DELETE ON ${table}
          FOR EACH ROW EXECUTE FUNCTION notify_change('calibrations', 'account')`
      )
