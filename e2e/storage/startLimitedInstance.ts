/** An instance with a role and a database of its own, which the owner of the server spoils. */
import { runOnPostgres, startOnPostgres } from "./startStorageInstance.ts"

export type LimitedInstance = Awaited<ReturnType<typeof startLimitedInstance>>

/** `place` is a clause of `CREATE DATABASE`. */
export const startLimitedInstance = async (serverUrl: string, place = "") => {
  const role = `role_${crypto.randomUUID().replaceAll("-", "")}`
  const admin = (text: string) => runOnPostgres(serverUrl, "public", text)
  await admin(`CREATE ROLE ${role} LOGIN PASSWORD 'password'`)
  await admin(`CREATE DATABASE ${role} OWNER ${role} ${place}`)
  const owner = new URL(serverUrl)
  owner.pathname = `/${role}`
  const limited = new URL(owner)
  limited.username = role
  limited.password = "password"
  const running = await startOnPostgres(owner.href, { instanceUrl: limited.href })
  const tables = ["reservations", "api_keys", "signalbox_migrations"]
  return Object.assign(running, {
    ownerUrl: owner.href,
    adminOfDatabase: (text: string) => runOnPostgres(owner.href, "public", text),
    role,
    admin,
    endSessions: () =>
      admin(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${role}'`),
    /** Runs `body` before every change of the tables that the requests and the look at the database change. */
    addTriggers: async (body: string) => {
      await running.sql(
        `CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body}; RETURN NEW; END $$`
      )
      for (const table of tables) {
        await running.sql(
          `CREATE TRIGGER spoil BEFORE INSERT OR UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION spoil()`
        )
      }
    },
    dropTriggers: () => running.sql("DROP FUNCTION spoil CASCADE")
  })
}
