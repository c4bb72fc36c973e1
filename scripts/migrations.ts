/** Adds the hashes of new migrations to packages/sql/migrations.json; one that is there is never changed. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { migrations } from "../packages/sql/src/migrations.ts"
import { hashesOf } from "../packages/sql/test/hashesOf.ts"

const manifest = join(import.meta.dirname, "../packages/sql/migrations.json")
const shipped: Readonly<Record<string, string>> = JSON.parse(readFileSync(manifest, "utf8"))
const added = Object.keys(migrations).filter((name) => !Object.hasOwn(shipped, name))
writeFileSync(manifest, `${JSON.stringify({ ...hashesOf(migrations), ...shipped }, null, 2)}\n`)
console.log(added.length === 0 ? "no migration is new" : `added ${added.join(", ")}`)
