/** The customers of the host, their bundles, and what each has spent this month. */
import type { OperationResponse } from "@signalbox/core/contract"
import { act, isAllowed, type Session } from "../../api/request.ts"
import { useApi } from "../../api/useApi.ts"
import { ActionButton } from "../../components/ActionButton.tsx"
import { Badge } from "../../components/Badge.tsx"
import { FormButton } from "../../components/FormButton.tsx"
import { toPatch } from "../../components/FormField.ts"
import { ListSection } from "../../components/ListSection.tsx"
import { Loading } from "../../components/Loading.tsx"
import { Money } from "../../components/Money.tsx"
import { ReadOnlyNote } from "../../components/ReadOnlyNote.tsx"
import { Secret } from "../../components/Secret.tsx"
import type { Column } from "../../components/Table.tsx"
import { Time } from "../../components/Time.tsx"
import { toHash } from "../../routing/location.ts"
import type { PageProps } from "../../shell/Page.ts"

type Customer = OperationResponse<"customers.list">["data"][number]

const path = "api/v1/signalbox/customers"

export const CustomersPage = ({ session }: PageProps) => (
  <ListSection<Customer>
    title="Customers"
    path={path}
    query={{ limit: 20 }}
    toKey={({ slug }) => slug}
    empty={
      <>
        There is no customer. Pass <code>bundles</code> to <code>Signalbox.make</code>, and create
        one with <code>POST /api/v1/signalbox/customers</code>.
      </>
    }
    aside={(reload) =>
      isAllowed(session, "customers") && <Create session={session} reload={reload} />
    }
    columns={(reload) => makeColumns(session, reload)}
  >
    <ReadOnlyNote session={session} group="customers" actions="create and change customers" />
  </ListSection>
)

const makeColumns = (session: Session, reload: () => void): ReadonlyArray<Column<Customer>> => [
  {
    title: "Customer",
    cell: ({ name, slug, workspace_id }) => (
      <>
        <a href={toHash(["requests"], { workspace_id, range: "30d" })}>{name}</a>
        <br />
        <span class="muted small">{slug}</span>
      </>
    )
  },
  { title: "Bundle", cell: ({ bundle }) => bundle },
  {
    title: "State",
    cell: ({ suspended_at: at, suspended_reason: reason }) =>
      at === null ? (
        <Badge tone="good">active</Badge>
      ) : (
        <>
          <Badge tone="bad">suspended</Badge> <Time at={at} />{" "}
          <span class="muted small">{reason}</span>
        </>
      )
  },
  { title: "This month", isNumber: true, cell: (customer) => <Spent of={customer} /> },
  { title: "Since", cell: ({ created_at }) => <Time at={created_at} /> },
  ...(isAllowed(session, "customers")
    ? [
        {
          title: "Action",
          cell: (customer: Customer) => (
            <div class="row-actions">
              <Edit of={customer} session={session} reload={reload} />
              <Suspend of={customer} session={session} reload={reload} />
              <Delete of={customer} session={session} reload={reload} />
            </div>
          )
        }
      ]
    : [])
]

const Spent = ({ of: { slug } }: { readonly of: Customer }) => {
  const usage = useApi<"customers.usage">(`${path}/${encodeURIComponent(slug)}/usage`)
  return (
    <Loading loaded={usage}>
      {({ data }: OperationResponse<"customers.usage">) => <Money usd={data.spent} />}
    </Loading>
  )
}

const bundleField = { name: "bundle", label: "Bundle", kind: "text", isRequired: true } as const
const nameField = { name: "name", label: "Name", kind: "text" } as const

const Create = ({
  reload,
  session
}: {
  readonly session: Session
  readonly reload: () => void
}) => (
  <FormButton
    label="Create customer"
    about=""
    isNew
    fields={[
      { name: "slug", label: "Slug", kind: "text", isRequired: true },
      nameField,
      bundleField,
      {
        name: "callback_url",
        label: "URL of its webhook",
        kind: "text",
        hint: "empty: none"
      }
    ]}
    explain={({ bundle }) =>
      `It gets a workspace with the limits and rights of the bundle ${bundle ?? ""}, and a key.`
    }
    run={async ({ bundle, callback_url: url = "", name = "", slug }) => {
      const made = await act<"customers.create">(session, "POST", path, {
        slug,
        bundle,
        ...(name.trim() !== "" && { name: name.trim() }),
        ...(url.trim() !== "" && { callback_url: url.trim() })
      })
      return {
        text: made.created ? "The customer is made." : "There was such a customer already.",
        more: (
          <>
            {made.key !== null && <Secret title="Key" text={made.key} />}
            {made.webhook_secret !== null && (
              <Secret title="Signing secret of the webhook" text={made.webhook_secret} />
            )}
          </>
        )
      }
    }}
    onDone={reload}
  />
)

interface CustomerActionProps {
  readonly of: Customer
  readonly session: Session
  readonly reload: () => void
}

const toPath = ({ slug }: Customer): string => `${path}/${encodeURIComponent(slug)}`

const Edit = ({ of: customer, reload, session }: CustomerActionProps) => {
  const before = { name: customer.name, bundle: customer.bundle }
  return (
    <FormButton
      label="Edit"
      submit="Change customer"
      about={customer.name}
      fields={[nameField, bundleField]}
      initial={before}
      explain={({ bundle }) =>
        bundle === customer.bundle
          ? "Its limits stay."
          : `From its next request on, the limits and rights of the bundle ${bundle ?? ""} hold; what it has spent counts under them.`
      }
      run={async ({ bundle = "", name = "" }) => {
        const after = { name, bundle }
        await act<"customers.update">(session, "PATCH", toPath(customer), toPatch(before, after))
        return {
          text: "The customer is changed.",
          undo: async () => {
            await act(session, "PATCH", toPath(customer), toPatch(after, before))
            return "The customer is as it was."
          }
        }
      }}
      onDone={reload}
    />
  )
}

const Suspend = ({ of: customer, reload, session }: CustomerActionProps) => {
  const resume = async () => {
    await act<"customers.resume">(session, "POST", `${toPath(customer)}/resume`)
    return "Its requests are answered again."
  }
  return customer.suspended_at === null ? (
    <FormButton
      label="Suspend"
      submit="Suspend customer"
      about={customer.name}
      isNew
      fields={[{ name: "reason", label: "Reason", kind: "text", hint: "its callers read it" }]}
      explain={() => "Every request of its callers is refused with 403 until it is resumed."}
      run={async ({ reason = "" }) => {
        await act<"customers.suspend">(session, "POST", `${toPath(customer)}/suspend`, {
          ...(reason.trim() !== "" && { reason: reason.trim() })
        })
        return { text: "Its requests are refused from now on.", undo: resume }
      }}
      onDone={reload}
    />
  ) : (
    <ActionButton label="Resume" about={customer.name} run={resume} onDone={reload}>
      Its requests are answered again.
    </ActionButton>
  )
}

const Delete = ({ of: customer, reload, session }: CustomerActionProps) => (
  <ActionButton
    label="Delete customer"
    isDestructive
    about={customer.name}
    run={async () => {
      await act<"customers.delete">(session, "DELETE", toPath(customer))
      return "The customer is deleted."
    }}
    onDone={reload}
  >
    Its workspace is deleted with its keys, budgets, members, webhook and interns. This cannot be
    undone; to stop it for a while, suspend it.
  </ActionButton>
)
