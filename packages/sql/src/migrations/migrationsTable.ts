/** The table of the migrations that a database has. */
export const migrationsTable = "signalbox_migrations"
