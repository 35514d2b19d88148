using System.Globalization;
using Npgsql;

namespace Ripple.Gms.Store.Postgres;

/// <content>One transaction.</content>
internal sealed partial class PostgresCommitter
{
    private Outcome TryWrite(IReadOnlyList<CommitWork> works, bool mustLock, out StoreTrouble? trouble)
    {
        trouble = null;
        bool isQuick = false;
        _unknown = null;
        try
        {
            var needs = new PostgresNeeds();
            foreach (CommitWork work in works)
            {
                needs.Add(work.Batch);
            }

            // A refusal is told only by what was read in the transaction: somebody else may have committed what it misses.
            if (!mustLock
                && needs.IsEmpty
                && !works.Any(w => w.Batch.Prunings.Count > 0)
                && Plan(works, _state) is { Refused.Count: 0 } planned)
            {
                isQuick = true;
                WriteAtOnce(works, planned);
            }
            else if (!WriteLocked(works, needs))
            {
                return Outcome.Done;
            }

            Attempt attempt = _unknown!;
            if (_session!.IsWarned)
            {
                // A standby that was waited for may lack it.
                return Outcome.Unknown;
            }

            _unknown = null;
            OnDurable(attempt);
            return Outcome.Done;
        }
        catch (StoreRefusedException e)
        {
            // Of a batch that is alone: its history cannot be shortened.
            _session!.TryRollBack();
            _unknown = null;
            CommitWork.FailAll(works, StoreStatus.Refused, e.Message);
            return Outcome.Done;
        }
        catch (StoreException e)
        {
            // Of the mark, which is written before the commit.
            _session!.TryRollBack();
            _unknown = null;
            trouble = new StoreTrouble(
                StoreStatus.Full,
                $"The disk of the host did not take what it keeps of the store ({e.Message}). Nothing was written; try again.");
            return Outcome.Failed;
        }
        catch (PostgresException e)
        {
            if (e.InvariantSeverity != "ERROR")
            {
                // The server ends the session, and perhaps itself.
                return OnBroken(out trouble);
            }

            // The server ended the transaction and says so: it is not written. The connection may be given up all the same, by the
            // library, which takes a full disk for the end of a server.
            _session!.TryRollBack();
            _unknown = null;
            return Judge(e, works, isQuick, out trouble);
        }
        catch (Exception e) when (PostgresSession.IsDatabase(e))
        {
            return OnBroken(out trouble);
        }
    }

    /// <summary>The connection is of no use any more. What was not sent with its COMMIT ends with it.</summary>
    private Outcome OnBroken(out StoreTrouble? trouble)
    {
        Disconnect();
        trouble = _lost is null ? null : Unsettled();
        return trouble is not null ? Outcome.Failed : _unknown is null ? Outcome.Again : Outcome.Unknown;
    }

    /// <summary>One round trip, by what the last commit left.</summary>
    private void WriteAtOnce(IReadOnlyList<CommitWork> works, Planned planned)
    {
        long nonce = NewNonce();
        var commands = new List<NpgsqlBatchCommand>
        {
            Parameter.Command("BEGIN"),
            PostgresFence.Refusing(_epoch),
            NumberFrom(_state, nonce),
        };
        commands.AddRange(planned.Plans.SelectMany(p => p.Before.Concat(p.After)));
        commands.Add(Parameter.Command("COMMIT"));
        _unknown = new Attempt(works, [], planned.State with { Position = _state.Position + 1, Nonce = nonce });
        _session!.Run(commands);
    }

    /// <summary>
    /// Locks and reads, then writes. False if nothing was to be written: then each batch has its result.
    /// </summary>
    private bool WriteLocked(IReadOnlyList<CommitWork> works, PostgresNeeds needs)
    {
        PostgresState? locked = Lock(needs, out uint epoch);
        if (locked is null)
        {
            _session!.Run("ROLLBACK");
            CommitWork.FailAll(works, StoreStatus.Refused, string.Create(
                CultureInfo.InvariantCulture,
                $"Another host leads this store: its slot epoch is {epoch}, and this host's is {_epoch}. Nothing was written; "
                    + $"ask the host that leads. This one takes commits when it is started again."));
            return false;
        }

        Planned planned = Plan(works, locked);
        if (planned.Plans.Count == 0 && works.Count > 0)
        {
            _session!.Run("ROLLBACK");
            _state = locked.WithoutFacts();
            foreach ((CommitWork work, string reason) in planned.Refused)
            {
                work.Fail(StoreStatus.Refused, reason);
            }

            return false;
        }

        HashSet<CommitWork> refused = [.. planned.Refused.Select(r => r.Work)];
        PostgresState after = planned.State;
        if (works.Any(w => w.Batch.SlotEpoch is not null && !refused.Contains(w)) && _mark?.Renew() is { } id)
        {
            planned.Plans[^1].SetMark(id);
            after = after with { MarkId = id };
        }

        var commands = new List<NpgsqlBatchCommand>();
        foreach (PostgresPlan plan in planned.Plans)
        {
            commands.AddRange(plan.Before);
            if (plan.Prunings.Count > 0)
            {
                _session!.Run(commands);
                commands.Clear();
                foreach ((HistoryPruning pruning, ulong historyFrom, ulong newest) in plan.Prunings)
                {
                    new PostgresHistoryPruner(_session!, _options.PublishHorizonCount).Write(pruning, historyFrom, newest);
                }
            }

            commands.AddRange(plan.After);
        }

        long nonce = NewNonce();
        commands.Add(NumberFrom(locked, nonce));
        commands.Add(Parameter.Command("COMMIT"));
        _unknown = new Attempt(works, planned.Refused, after with { Position = locked.Position + 1, Nonce = nonce });
        _session!.Run(commands);
        return true;
    }

    /// <summary>
    /// Begins a transaction in which nobody else commits, and reads what the group needs, and all small tables if somebody committed since.
    /// Null if the epoch, which is given out, is above this host's.
    /// </summary>
    private PostgresState? Lock(PostgresNeeds needs, out uint epoch)
    {
        long found = -1;
        long number = -1;
        long[] nonces = [];
        var facts = new PostgresFacts();
        var commands = new List<NpgsqlBatchCommand>
        {
            Parameter.Command("BEGIN"),
            PostgresFence.Locking(needs.RaisesEpoch),
            Parameter.Command(
                "SELECT number, nonces FROM commit_position WHERE id = $1 FOR UPDATE", Parameter.Int(PostgresSchema.Slot)),
        };
        var readers = new List<Action<NpgsqlDataReader>>
        {
            reader => found = reader.Read() ? reader.GetInt64(0) : -1,
            reader =>
            {
                if (reader.Read())
                {
                    number = reader.GetInt64(0);
                    nonces = reader.GetFieldValue<long[]>(1);
                }
            },
        };
        needs.AddTo(commands, readers, facts);
        _session!.Read(commands, readers);
        epoch = (uint)Math.Max(0, found);
        if (found < 0 || number < 0)
        {
            throw new NpgsqlException("The store lacks its slot or its position.");
        }

        CheckLineage(_session.Server, _state, number, nonces);
        if (epoch > _epoch)
        {
            return null;
        }

        PostgresState state = number == _state.Position ? _state : PostgresState.Read(_session, number, nonces.FirstOrDefault());
        return facts.Into(state);
    }

    private static Planned Plan(IReadOnlyList<CommitWork> works, PostgresState state)
    {
        var plans = new List<PostgresPlan>();
        var refused = new List<(CommitWork, string)>();
        foreach (CommitWork work in works)
        {
            var plan = new PostgresPlan(state);
            try
            {
                plan.Add(work.Batch);
                plans.Add(plan);
                state = plan.State;
            }
            catch (StoreRefusedException e)
            {
                refused.Add((work, e.Message));
            }
        }

        return new Planned(plans, refused, state);
    }

    private static Outcome Judge(PostgresException e, IReadOnlyList<CommitWork> works, bool isQuick, out StoreTrouble? trouble)
    {
        trouble = null;
        string said = PostgresAddress.Describe(e);
        switch (e.SqlState)
        {
            case PostgresErrorCodes.DivisionByZero or PostgresErrorCodes.SerializationFailure or PostgresErrorCodes.DeadlockDetected:
                // Somebody else committed since, or another epoch leads: what was read under the lock tells which.
                return Outcome.Again;
            case [('2'), ('2' or '3'), ..] when isQuick:
                return Outcome.Again;
            case [('2'), ('2' or '3'), ..] when works.Count > 1:
                return Outcome.Each;
            case [('2'), ('2' or '3'), ..]:
                CommitWork.FailAll(works, StoreStatus.Refused, said);
                return Outcome.Done;
            case PostgresErrorCodes.LockNotAvailable or PostgresErrorCodes.QueryCanceled:
                trouble = new StoreTrouble(
                    StoreStatus.Busy, $"Another session kept the store locked ({said}). Nothing was written; try again.");
                return Outcome.Failed;
            case ['5', '3', ..]:
                trouble = new StoreTrouble(
                    StoreStatus.Full, $"The disk of the store is full ({said}). Nothing was written; try again when there is room.");
                return Outcome.Failed;
            default:
                trouble = new StoreTrouble(
                    StoreStatus.Full, $"The database of the store did not take it ({said}). Nothing was written; try again.");
                return Outcome.Failed;
        }
    }

    private sealed record Planned(
        List<PostgresPlan> Plans, List<(CommitWork Work, string Reason)> Refused, PostgresState State);
}
