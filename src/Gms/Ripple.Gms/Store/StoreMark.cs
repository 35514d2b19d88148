using System.Collections.Immutable;
using System.Globalization;
using Ripple.Engine.Releases;

namespace Ripple.Gms.Store;

/// <summary>
/// What is known of a store outside of it, in a place that a backup does not carry: what it had at last. A store that has less, or
/// something else, is a copy. Written after the store, so a crash never leaves it ahead. Immutable.
/// </summary>
/// <param name="Id">The id that the store has too.</param>
/// <param name="IsRestored">Whether somebody said that the store is a copy, and no host has gone on from it yet.</param>
/// <param name="SlotEpoch">The highest slot epoch that was used.</param>
/// <param name="Generation">The highest generation of any application that was used.</param>
/// <param name="Releases">The newest release of each application, by topic.</param>
internal sealed record StoreMark(
    Guid Id, bool IsRestored, uint SlotEpoch, uint Generation, ImmutableSortedDictionary<uint, MarkedRelease> Releases)
{
    /// <summary>A mark that knows of nothing.</summary>
    public static StoreMark None { get; } =
        new(Guid.Empty, false, 0, 0, ImmutableSortedDictionary<uint, MarkedRelease>.Empty);

    /// <summary>The mark of a store that goes on under another id: what was used stays used, what was released need not be there.</summary>
    /// <param name="id">The new id.</param>
    /// <param name="isCopy">Whether the store is a copy, until a host has gone on from it.</param>
    public StoreMark Renew(Guid id, bool isCopy) => this with { Id = id, IsRestored = isCopy, Releases = None.Releases };

    /// <summary>The mark after a batch became durable.</summary>
    public StoreMark After(CommitBatch batch)
    {
        StoreMark next = this;
        if (batch.SlotEpoch is { } epoch)
        {
            // A host has begun on this store, above all that was used.
            next = next with { SlotEpoch = Math.Max(epoch, SlotEpoch), IsRestored = false };
        }

        next = batch.GenerationMin > next.Generation ? next with { Generation = batch.GenerationMin.Value } : next;
        foreach (StoredRelease release in batch.Releases)
        {
            ReleaseHeader header = release.Header;
            next = next with
            {
                Generation = Math.Max(next.Generation, header.Generation),
                Releases = next.Releases.SetItem(release.Topic, new MarkedRelease(header.Generation, header.Release, header.Id)),
            };
        }

        return next;
    }

    /// <summary>Null if the store is the one that the mark is of, at the same state or a later one; else what it is a copy of.</summary>
    /// <param name="mark">The mark beside the store; null if there is none.</param>
    /// <param name="storeId">The id of the mark that the store had; null if it never had one.</param>
    /// <param name="storeEpoch">The store's slot epoch.</param>
    /// <param name="has">Whether the store has a release with this id, or has it no more; false if it has none or another.</param>
    public static StoreCopy? Judge(StoreMark? mark, Guid? storeId, uint storeEpoch, Func<uint, ulong, Digest160, bool> has)
    {
        if (mark is null)
        {
            return storeId is null ? null : new StoreCopy("the mark that was beside it is missing", 0, 0);
        }

        return mark.WhatDiffers(storeId, storeEpoch, has) is { } reason ? new StoreCopy(reason, mark.SlotEpoch, mark.Generation) : null;
    }

    private string? WhatDiffers(Guid? storeId, uint storeEpoch, Func<uint, ulong, Digest160, bool> has)
    {
        if (IsRestored)
        {
            return "the command 'restore' said so";
        }

        if (storeId is not null && storeId != Id)
        {
            return "the mark beside it is of another store";
        }

        if (storeEpoch < SlotEpoch)
        {
            return Text($"it has slot epoch {storeEpoch}, and epoch {SlotEpoch} was used here");
        }

        foreach ((uint topic, MarkedRelease newest) in Releases)
        {
            if (!has(topic, newest.Release, newest.Id))
            {
                return Text(
                    $"release {newest.Release} of the application with topic {topic} was committed here, and it has none or another");
            }
        }

        return null;
    }

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}

/// <summary>The newest release of an application, as a mark remembers it.</summary>
/// <param name="Generation">Its generation.</param>
/// <param name="Release">Its number.</param>
/// <param name="Id">Its id.</param>
internal readonly record struct MarkedRelease(uint Generation, ulong Release, Digest160 Id);

/// <summary>Says that a store is a copy: another one went on from where it is, and gave numbers it does not know.</summary>
/// <param name="Reason">How that was found, for logs and the audit.</param>
/// <param name="SlotEpoch">The highest slot epoch known to be used; 0 if none is known.</param>
/// <param name="Generation">The highest generation known to be used, of any application; 0 if none is known.</param>
internal sealed record StoreCopy(string Reason, uint SlotEpoch, uint Generation);
