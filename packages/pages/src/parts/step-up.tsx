import type { ReactElement } from 'react'
import type { Texts } from '../texts/texts.ts'
import type { ScreenProps, ViewOf } from '../view.ts'
import { getFormState } from './arrange-options.ts'
import { arrangeStepUp, type StepUpWay } from './arrange-step-up.ts'
import { Button, LinkButton } from './button.tsx'
import { Form } from './form.tsx'
import { Heading } from './heading.tsx'
import { Person } from './person.tsx'
import { isProblem, Problem } from './problem.tsx'
import { ProviderButton } from './provider-button.tsx'
import { Reference } from './reference.tsx'
import { SignInLinks } from './sign-in-links.tsx'
import { Fold, OptionFormView } from './sign-in-options.tsx'
import { SupportLink } from './support-link.tsx'

type SignInView = ViewOf<'signin'>

interface StepUpProps extends ScreenProps<'signin'> {
  readonly stepUp: NonNullable<SignInView['stepUp']>
}

/** A user who has to authenticate again: names them, and shows the ways that they have, one of them at first. */
export function StepUp({ view, context, texts, stepUp }: StepUpProps): ReactElement {
  const { links, ref, user } = view
  const { main, others } = arrangeStepUp(view)
  const isExplained = main?.kind === 'form' && getFormState(view, main.form).isFailed
  const isFailed = isProblem(view) && !isExplained
  return (
    <>
      <Heading text={texts.stepUp.heading} />
      <p className="lead">{main === null ? texts.stepUp.none : texts.stepUp.lead}</p>
      {stepUp.mustRepeat && <p className="lead">{texts.stepUp.repeat}</p>}
      {user && (
        <>
          <p className="lead">{texts.confirmLink.user}</p>
          <Person {...user} />
        </>
      )}
      {!isExplained && <Problem view={view} context={context} texts={texts} />}
      <div className="stack">
        {main && <Way way={main} isMain={true} view={view} context={context} texts={texts} />}
        {others.length > 0 && (
          <Fold label={texts.stepUp.another} isOpen={isFailed}>
            {others.map((way) => (
              <Way key={getKey(way)} way={way} isMain={false} view={view} context={context} texts={texts} />
            ))}
          </Fold>
        )}
        <LinkButton label={texts.stepUp.notNow} href={stepUp.backUrl} kind="plain" />
      </div>
      <SignInLinks links={links} view={view} texts={texts} />
      {main === null && <SupportLink context={context} texts={texts} />}
      <Reference id={ref} texts={texts} />
    </>
  )
}

function getKey(way: StepUpWay): string {
  if (way.kind === 'button') return way.option.id
  return way.kind === 'mail' ? 'mail' : `form of ${JSON.stringify(way.form)}`
}

interface WayProps extends ScreenProps<'signin'> {
  readonly way: StepUpWay
  readonly isMain: boolean
}

function Way({ way, isMain, view, context, texts }: WayProps): ReactElement {
  const { csrfToken, callbackUrl } = view
  if (way.kind === 'form')
    return <OptionFormView form={way.form} view={view} context={context} texts={texts} isMain={isMain} />
  return (
    <Form action={way.kind === 'mail' ? way.mail.action : way.option.action} fields={{ csrfToken, callbackUrl }}>
      <WayButton way={way} isMain={isMain} texts={texts} />
    </Form>
  )
}

interface WayButtonProps {
  readonly way: Exclude<StepUpWay, { readonly kind: 'form' }>
  readonly isMain: boolean
  readonly texts: Texts
}

function WayButton({ way, isMain, texts }: WayButtonProps): ReactElement {
  if (way.kind === 'button') return <ProviderButton choice={way.option} texts={texts} isMain={isMain} />
  return <Button label={texts.stepUp.mail(way.mail.address)} kind={isMain ? 'main' : 'plain'} />
}
