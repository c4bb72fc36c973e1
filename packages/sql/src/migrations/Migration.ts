/** One step of the schema. */
import type { Dialect } from "../connection/dialect.ts"
import type { DocumentRewrite } from "./rewriteDocuments.ts"

/** The steps of a migration on one database: SQL statements and rewrites of JSON documents. */
export type Migration = (dialect: Dialect) => ReadonlyArray<string | DocumentRewrite>
