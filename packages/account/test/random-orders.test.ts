import { times, turnsOf } from '@postern/testkit/long'
import t, { type Test } from 'tap'
import { strategies } from './password-application.ts'
import { openStage, stores } from './random-orders/stage.ts'
import { startWalk, type Walked, type WalkOptions } from './random-orders/walk.ts'

// The environment repeats an order, or goes through a longer one on each store:
//   POSTERN_ORDERS_STEPS=20000 POSTERN_ORDERS_SEED=7 POSTERN_ORDERS_ONLY='PostgreSQL, jwt'
const { POSTERN_ORDERS_STEPS: stated, POSTERN_ORDERS_SEED: seed = '1', POSTERN_ORDERS_ONLY: only } = process.env

/** In `npm test`, 300 steps on all stores. */
const steps = Number(stated ?? times(75, 500))

/** How often steps happen at once, and how often one loses a connection. */
const faults = { pairsOneIn: 8, cutsOneIn: 12 }

/** How often a step kills its process. In `npm test`, one store starts processes, which takes more time than the steps. */
const getKills = (name: string): Pick<WalkOptions, 'killsOneIn'> => {
  if (stated !== undefined) return { killsOneIn: 150 }
  return name === 'PostgreSQL' ? { killsOneIn: 40 } : {}
}

function report(t: Test, { counts, ...walked }: Walked, { seed, seconds }: { seed: string; seconds: number }): void {
  const { steps, pairs, cuts, kills, probes, violation } = walked
  const sum = (kind: 'done' | 'refused' | 'unknown'): number =>
    [...counts.values()].reduce((all, count) => all + count[kind], 0)
  t.comment(
    `seed ${seed}: ${steps} steps in ${Math.round(seconds)} s, ${pairs} beside another, ${cuts} connections lost, ${kills} processes killed; ` +
      `${sum('done')} done, ${sum('refused')} refused, ${sum('unknown')} unknown; ${probes} sessions read`
  )
  if (stated !== undefined)
    for (const [name, { done, refused, unknown }] of [...counts].toSorted())
      t.comment(`  ${name}: ${done} done, ${refused} refused, ${unknown} unknown`)
  for (const line of violation?.trace ?? []) t.comment(`  ${line}`)
  t.equal(violation?.reason ?? null, null, `what the model does not allow, after ${steps} steps with the seed ${seed}`)
}

const turns = turnsOf(strategies, t)
const all = strategies.map((value) => ({ value, test: t.test }))

for (const store of stores)
  for (const { value: strategy, test } of stated === undefined ? turns() : all)
    if (only === undefined || only === `${store.name}, ${strategy}`)
      test(`random orders of all operations: ${store.name}, ${strategy}`, { skip: store.skip }, async (t) => {
        if (stated !== undefined) t.setTimeout(7_200_000)
        const stage = await openStage(t, store, strategy)
        const onThousand = (count: number) => t.comment(`${count} steps`)
        const options: WalkOptions = { seed: Number(seed), steps, ...faults, ...getKills(store.name), onThousand }
        const begun = performance.now()
        const walked = await (await startWalk(stage, strategy, options)).run()
        report(t, walked, { seed, seconds: (performance.now() - begun) / 1000 })
      })
