/** The frame of the console: navigation, the session, and the page of the address. */
import { useLayoutEffect, useRef } from "preact/hooks"
import { getSession } from "../api/request.ts"
import { useLoaded } from "../api/useApi.ts"
import { Loading } from "../components/Loading.tsx"
import { usePreferences } from "../preferences/preferences.ts"
import { toHash, useLocation } from "../routing/location.ts"
import { pageGroups } from "./Page.ts"
import { pages } from "./pages.ts"
import { PageView } from "./PageView.tsx"
import { showCurrent } from "./showCurrent.ts"
import { Tools } from "./Tools.tsx"

export const Shell = () => {
  const location = useLocation()
  const session = useLoaded("session", getSession)
  const [path = "overview"] = location.path
  const page = pages.find((page) => page.path === path)
  const main = useRef<HTMLElement>(null)
  const navigation = useRef<HTMLElement>(null)
  const isFirst = useRef(true)
  const { isUtc } = usePreferences()

  // The session takes some of the room of the navigation.
  useLayoutEffect(() => showCurrent(navigation.current), [path, session.data])

  useLayoutEffect(() => {
    document.title = `${page?.title ?? "Not found"} – Signalbox`
    // Readers of the screen learn that another page is shown, or another record on it.
    if (!isFirst.current) {
      main.current?.focus({ preventScroll: true })
      scrollTo(0, 0)
    }
    isFirst.current = false
  }, [path, location.path[1]])

  return (
    <>
      <a
        class="skip"
        href={toHash([path])}
        onClick={(event) => {
          event.preventDefault()
          main.current?.focus()
        }}
      >
        Skip to the content
      </a>
      <header>
        <div class="side">
          <span class="brand">Signalbox</span>
          <nav aria-label="Pages" ref={navigation}>
            {pageGroups.map((name) => (
              <div key={name} class="nav-group" role="group" aria-label={name}>
                <span aria-hidden="true">{name}</span>
                {pages
                  .filter(({ group }) => group === name)
                  .map(({ path: target, title }) => (
                    <a
                      key={target}
                      href={toHash([target])}
                      aria-current={target === path ? "page" : undefined}
                    >
                      {title}
                    </a>
                  ))}
              </div>
            ))}
          </nav>
        </div>
        <div class="topbar">
          <Tools signOutUrl={session.data?.sign_out_url ?? null} />
          {session.data !== undefined && (
            <span
              class="session"
              title={`${session.data.user ?? ""} of the account ${session.data.account}`.trim()}
            >
              <bdi class="user">{session.data.user ?? session.data.account}</bdi>
              {session.data.allow.length > 0 ? "" : " · read-only"}
            </span>
          )}
        </div>
      </header>
      <main ref={main} tabIndex={-1}>
        <h1>{page?.title ?? "Not found"}</h1>
        <Loading loaded={session}>
          {(session) =>
            page === undefined ? (
              <div class="empty">
                There is no such page. <a href={toHash(["overview"])}>Go to Overview</a>.
              </div>
            ) : (
              // Every time on it is written again in another zone.
              <PageView
                key={`${path} ${isUtc}`}
                page={page}
                session={session}
                location={location}
              />
            )
          }
        </Loading>
      </main>
    </>
  )
}
