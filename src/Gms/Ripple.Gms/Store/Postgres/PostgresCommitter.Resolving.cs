using System.Globalization;
using Npgsql;

namespace Ripple.Gms.Store.Postgres;

/// <content>What became of a transaction whose end is not known.</content>
internal sealed partial class PostgresCommitter
{
    private StoreTrouble Unsettled() => _lost is { } lost
        ? new StoreTrouble(StoreStatus.Failed, $"The store failed and takes no commits until the host is started again: {lost}.")
        {
            MayPass = false,
        }
        : new StoreTrouble(
            StoreStatus.Failed,
            "The store failed and takes no commits until its database tells whether the last ones were written: the connection broke.");

    /// <summary>Whether the attempt is written; null if that was not found out in time, and nothing else may be committed.</summary>
    private bool? Resolve(int withinMs)
    {
        long untilMs = Environment.TickCount64 + withinMs;
        while (true)
        {
            if (TryResolve() is { } isWritten)
            {
                return isWritten;
            }

            if (_lost is not null || Environment.TickCount64 >= untilMs)
            {
                return null;
            }

            Thread.Sleep(PauseMs);
        }
    }

    private bool? TryResolve()
    {
        Attempt attempt = _unknown!;
        if (Connect() is not null)
        {
            return null;
        }

        try
        {
            long epoch = 0;
            long number = -1;
            long[] nonces = [];
            // Waits for a transaction that is still under way: it has the lock of the position until its end.
            _session!.Read(
                [
                    Parameter.Command("BEGIN"),
                    Parameter.Command("SELECT epoch FROM slot WHERE id = $1 FOR SHARE", Parameter.Int(PostgresSchema.Slot)),
                    Parameter.Command(
                        "SELECT number, nonces FROM commit_position WHERE id = $1 FOR UPDATE", Parameter.Int(PostgresSchema.Slot)),
                ],
                [
                    reader => epoch = reader.Read() ? reader.GetInt64(0) : 0,
                    reader =>
                    {
                        if (reader.Read())
                        {
                            number = reader.GetInt64(0);
                            nonces = reader.GetFieldValue<long[]>(1);
                        }
                    },
                ]);
            CheckLineage(_session.Server, _state, number, nonces);
            bool? isWritten = Find(attempt, number, nonces);
            if (isWritten is null)
            {
                _session.TryRollBack();
                return null;
            }

            PostgresState settled = isWritten.Value ? attempt.State : _state;
            if (epoch > Math.Max(_epoch, settled.SlotEpoch))
            {
                // Nothing of this host is written any more: its next commit is refused.
                _session.Run("ROLLBACK");
            }
            else
            {
                settled = Cover(settled, number, nonces);
            }

            _unknown = null;
            if (isWritten.Value)
            {
                OnDurable(attempt with { State = settled });
            }
            else
            {
                _state = settled;
            }

            return isWritten;
        }
        catch (PostgresException)
        {
            // Such as a lock that was not to be had in time.
            if (!_session!.TryRollBack())
            {
                Disconnect();
            }

            return null;
        }
        catch (Exception e) when (PostgresSession.IsDatabase(e))
        {
            Disconnect();
            return null;
        }
    }

    /// <summary>
    /// Commits something over what was found: a transaction that is on its way still finds another position than it was made for, and one
    /// that is written is where this commit is, standbys included.
    /// </summary>
    private PostgresState Cover(PostgresState settled, long number, long[] nonces)
    {
        long nonce = NewNonce();
        var found = new PostgresState { Position = number, Nonce = nonces.FirstOrDefault() };
        _session!.Run([NumberFrom(found, nonce), Parameter.Command("COMMIT")]);
        if (_session.IsWarned)
        {
            throw new NpgsqlException("A standby was not waited for.");
        }

        // Where others committed too, the state is one of before: the next commit reads it anew.
        return number == settled.Position && found.Nonce == settled.Nonce ? settled with { Position = number + 1, Nonce = nonce } : settled;
    }

    private bool? Find(Attempt attempt, long number, long[] nonces)
    {
        long behind = number - attempt.State.Position;
        if (behind < 0)
        {
            return false;
        }

        if (behind < nonces.Length)
        {
            return nonces[behind] == attempt.State.Nonce;
        }

        _lost = "others committed so much since that nobody knows whether the last ones were written";
        return null;
    }

    /// <summary>
    /// A database that lacks what it said to be committed is a copy, on which this host does not go on: its next start judges it.
    /// </summary>
    private void CheckLineage(PostgresServer server, PostgresState known, long number, long[] nonces)
    {
        var seen = new PostgresPosition(known.Position, known.Nonce, _server);
        if (seen.WhatDiffers(server, number, known.Nonce == 0 ? [] : nonces) is { } reason)
        {
            _lost = string.Create(CultureInfo.InvariantCulture, $"the database lacks what was committed, {reason}");
            throw new NpgsqlException(_lost);
        }
    }
}
