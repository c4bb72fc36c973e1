/** Lets records be found by the preset that their request named. Records of earlier versions are not found by it. */
import { byCodePoint, type Dialect } from "../../connection/dialect.ts"

export const generationPresets = (dialect: Dialect): ReadonlyArray<string> => [
  `ALTER TABLE generations ADD COLUMN preset text`,
  `CREATE INDEX generations_by_preset ON generations
    (account, preset, started_at, id ${byCodePoint[dialect]}) WHERE preset IS NOT NULL`
]
