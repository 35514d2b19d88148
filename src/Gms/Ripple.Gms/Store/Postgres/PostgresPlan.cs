using System.Globalization;
using Npgsql;

namespace Ripple.Gms.Store.Postgres;

/// <summary>
/// Judges one batch by the state before it, with the rules of <see cref="SqliteBatchWriter"/>, and makes the statements that write it:
/// nothing is sent before all of it is judged, so that a transaction takes one round trip or two. A batch that breaks a rule throws
/// <see cref="StoreRefusedException"/>, and its plan is dropped.
/// </summary>
internal sealed partial class PostgresPlan(PostgresState state)
{
    /// <summary>The state after the batch.</summary>
    public PostgresState State { get; private set; } = state;

    /// <summary>What is written before histories are shortened.</summary>
    public List<NpgsqlBatchCommand> Before { get; } = [];

    /// <summary>The histories to shorten, each with what it begins at now, and the newest release.</summary>
    public List<(HistoryPruning Pruning, ulong HistoryFrom, ulong Newest)> Prunings { get; } = [];

    /// <summary>What is written after that.</summary>
    public List<NpgsqlBatchCommand> After { get; } = [];

    public void Add(CommitBatch batch)
    {
        AddSettings(batch);
        foreach (NewApplication application in batch.Applications)
        {
            AddApplication(application);
        }

        foreach (StoredRelease release in batch.Releases)
        {
            AddRelease(release);
        }

        foreach (MembershipChange change in batch.Members)
        {
            AddMembers(change);
        }

        foreach (HistoryPruning pruning in batch.Prunings)
        {
            Prune(pruning);
        }

        foreach (AuditEntry entry in batch.Audit)
        {
            AddAudit(entry);
        }

        foreach (AccessTokenChange change in batch.Tokens)
        {
            AddToken(change);
        }

        foreach (RevokedNode node in batch.RevokedNodes)
        {
            AddRevoked(node);
        }

        if (batch.Tokens.Count + batch.RevokedNodes.Count > 0)
        {
            State = State with { TokensVersion = State.TokensVersion + 1 };
            SetNumber("tokens_version", State.TokensVersion);
        }
    }

    /// <summary>The statements that store the id of a new mark, and the one before it among the earlier ones.</summary>
    public void SetMark(Guid id)
    {
        if (State.MarkId is { } earlier)
        {
            State = State with { EarlierMarks = [.. State.EarlierMarks.TakeLast(PostgresState.EarlierMarksMax - 1), earlier] };
            SetBytes("earlier_marks", [.. State.EarlierMarks.SelectMany(m => m.ToByteArray(bigEndian: true))]);
        }

        State = State with { MarkId = id };
        SetBytes("mark_id", id.ToByteArray(bigEndian: true));
    }

    private void AddSettings(CommitBatch batch)
    {
        if (batch.ClusterId is { } id)
        {
            if (State.ClusterId is { } stored && stored != id)
            {
                throw StoreRefusedException.Of(
                    $"The store belongs to cluster {stored:N}; it cannot become one of {id:N}. Give another store.");
            }

            State = State with { ClusterId = id };
            SetBytes("cluster_id", id.ToByteArray(bigEndian: true));
        }

        if (batch.SlotEpoch is { } epoch)
        {
            Grows("slot_epoch", State.SlotEpoch, epoch);
            State = State with { SlotEpoch = epoch };
            // It is locked, and was read: the condition is for a hand that writes here beside hosts.
            Before.Add(Parameter.Command(
                "UPDATE slot SET epoch = $1 WHERE id = $2 AND epoch < $1", Parameter.Number(epoch), Parameter.Int(PostgresSchema.Slot)));
        }

        if (batch.GenerationMin is { } generation)
        {
            Grows("generation_min", State.GenerationMin, generation);
            State = State with
            {
                GenerationMin = generation,
                Applications = State.Applications.SetItems(State.Applications.Where(a => a.Value.Generation < generation).Select(
                    a => KeyValuePair.Create(a.Key, a.Value with { Generation = generation }))),
            };
            SetNumber("generation_min", generation);
            Before.Add(Parameter.Command("UPDATE applications SET generation = $1 WHERE generation < $1", Parameter.Number(generation)));
        }
    }

    private static void Grows(string name, ulong stored, ulong value)
    {
        if (value <= stored)
        {
            throw StoreRefusedException.Of($"The setting {name} is {stored}; {value} is not above it. It only grows.");
        }
    }

    private void SetNumber(string name, long value) => Before.Add(Parameter.Command(
        "INSERT INTO settings (name, number) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET number = excluded.number",
        Parameter.Text(name),
        Parameter.Number(value)));

    private void SetBytes(string name, byte[] value) => Before.Add(Parameter.Command(
        "INSERT INTO settings (name, bytes) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET bytes = excluded.bytes",
        Parameter.Text(name),
        Parameter.Bytes(value)));

    private void AddApplication(NewApplication added)
    {
        if (State.Applications.Values.FirstOrDefault(a => a.Topic == added.Topic || a.Name == added.Name) is { } other)
        {
            throw StoreRefusedException.Of(
                $"There is an application '{other.Name}' with topic {other.Topic} already. Choose another name and topic.");
        }

        Set(new PostgresApplication(added.Topic, added.Name, added.Generation, 1, 1, 0, default));
        Before.Add(Parameter.Command(
            "INSERT INTO applications (topic, name, generation) VALUES ($1, $2, $3)",
            Parameter.Number(added.Topic),
            Parameter.Text(added.Name),
            Parameter.Number(added.Generation)));
    }

    private void RaiseGeneration(uint topic, uint generation)
    {
        PostgresApplication application = State.Application(topic);
        if (generation <= application.Generation)
        {
            throw new StoreRefusedException(string.Create(
                CultureInfo.InvariantCulture,
                $"The application with topic {topic} is at generation {application.Generation}; {generation} is not above it. "
                    + $"Generations only grow."));
        }

        Set(application with { Generation = generation });
        Before.Add(Parameter.Command(
            "UPDATE applications SET generation = $1 WHERE topic = $2", Parameter.Number(generation), Parameter.Number(topic)));
    }

    private void Prune(HistoryPruning pruning)
    {
        PostgresApplication application = State.Application(pruning.Topic);
        if (pruning.KeptFrom < application.HistoryFrom || pruning.KeptFrom > application.Newest)
        {
            throw new StoreRefusedException(string.Create(
                CultureInfo.InvariantCulture,
                $"History from release {pruning.KeptFrom} on cannot be kept: releases {application.HistoryFrom} to {application.Newest} "
                    + $"are there. Name one of them."));
        }

        Prunings.Add((pruning, application.HistoryFrom, application.Newest));
        Set(application with { HistoryFrom = pruning.KeptFrom });
    }

    private void AddAudit(AuditEntry entry) => After.Add(Parameter.Command(
        "INSERT INTO audit (time, actor, action, application, release, detail) VALUES ($1, $2, $3, $4, $5, $6)",
        Parameter.Number(entry.TimeUnixMicros),
        Parameter.Text(entry.Actor),
        Parameter.Text(entry.Action),
        Parameter.Text(entry.Application),
        Parameter.Number((long?)entry.Release),
        Parameter.Text(entry.Detail)));

    private void Set(PostgresApplication application) =>
        State = State with { Applications = State.Applications.SetItem(application.Topic, application) };
}
