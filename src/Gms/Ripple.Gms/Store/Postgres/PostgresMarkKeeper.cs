using Ripple.Trust;

namespace Ripple.Gms.Store.Postgres;

/// <summary>
/// What this host saw of a database, in its own data directory, where no backup of the database carries it: judges the database by it when
/// it is opened, and writes what became durable. A database that has less, or something else, is a copy: restored from a backup, or a
/// standby that took over without the last commits. What the disk does not take is written later: until then the mark is an older one. The
/// store's thread.
/// </summary>
internal sealed class PostgresMarkKeeper : IDisposable
{
    private const string PositionEnding = ".position";
    private const long FlushMs = 1_000;
    private readonly StoreMarkFile _file;
    private readonly PostgresPositionFile _positions;
    private StoreMark _mark;
    private PostgresPosition _position;
    private bool _mustRenew;
    private bool _isDirty;
    private volatile string? _trouble;
    private long _flushedMs = Environment.TickCount64;

    /// <summary>Opens the mark at a path, which has no ending, and judges the database by it.</summary>
    /// <param name="path">The path, without endings, of its files.</param>
    /// <param name="session">The database.</param>
    /// <param name="state">The state of the store.</param>
    /// <param name="nonces">The nonces of its newest commits, the newest first.</param>
    /// <param name="isNewHere">Whether this directory has never led its cluster.</param>
    /// <exception cref="StoreException">The files cannot be used.</exception>
    public PostgresMarkKeeper(
        string path, PostgresSession session, PostgresState state, IReadOnlyList<long> nonces, bool isNewHere)
    {
        foreach (string each in (string[])[StoreMarkFile.PathOf(path), path + PositionEnding])
        {
            if (FileOwner.RefuseFile(each) is { } refusal)
            {
                throw new StoreException($"The mark of {session.Address} is not opened: {refusal}");
            }
        }

        try
        {
            _file = new StoreMarkFile(StoreMarkFile.PathOf(path));
            _positions = new PostgresPositionFile(path + PositionEnding);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or StoreException)
        {
            _file?.Dispose();
            throw new StoreException(
                $"The mark '{path}' cannot be read or written ({e.Message}). Check its owner and rights, and the disk's space.", e);
        }

        // A host that has never led begins with what the database says; one that did not see another host find a copy goes on from there.
        StoreMark? known = _file.Mark;
        bool isTakenOver = state.MarkId is not null
            && (known is null ? isNewHere : known.Id != state.MarkId && !known.IsRestored && state.EarlierMarks.Contains(known.Id));
        known = isTakenOver ? (known ?? StoreMark.None).Renew(state.MarkId!.Value, isCopy: false) : known;
        _mark = known ?? StoreMark.None;
        Copy = StoreMark.Judge(known, state.MarkId, state.SlotEpoch, new PostgresReader(session).Has);
        if (Copy is null && state.MarkId is not null && !isTakenOver && _positions.Position is { } seen
            && seen.WhatDiffers(session.Server, state.Position, nonces) is { } reason)
        {
            Copy = new StoreCopy(reason, _mark.SlotEpoch, _mark.Generation);
        }

        _mustRenew = state.MarkId is null || Copy is not null;
    }

    /// <summary>What the store is a copy of; null if it is none, or a host has gone on from it. Any thread.</summary>
    public StoreCopy? Copy { get; private set; }

    /// <summary>Why the mark in the file is older than the store; null if it is not. Any thread.</summary>
    public string? Trouble => _trouble;

    /// <summary>
    /// Called before a transaction that raises the slot epoch is committed: if the store needs a new mark, writes it and gives the id that
    /// the transaction stores. A mark without its transaction makes the store the copy that it was.
    /// </summary>
    /// <exception cref="StoreException">The disk does not take it.</exception>
    public Guid? Renew()
    {
        if (!_mustRenew)
        {
            return null;
        }

        var id = Guid.NewGuid();
        StoreMark renewed = _mark.Renew(id, Copy is not null);
        _file.Replace(renewed);
        _mark = renewed;
        return id;
    }

    /// <summary>Called when batches became durable, before anybody is told.</summary>
    public void OnDurable(IEnumerable<CommitBatch> batches, PostgresPosition position)
    {
        bool hasBegun = false;
        foreach (CommitBatch batch in batches)
        {
            _mark = _mark.After(batch);
            hasBegun |= batch.SlotEpoch is not null;
        }

        _position = position;
        if (hasBegun)
        {
            _mustRenew = false;
            Copy = null;
        }

        if (!_mustRenew)
        {
            Try(Write);
        }

        if (hasBegun || Environment.TickCount64 - _flushedMs >= FlushMs)
        {
            Flush();
        }
    }

    /// <summary>Flushes what was written some time ago, and writes what could not be.</summary>
    public void Flush()
    {
        _flushedMs = Environment.TickCount64;
        if (_trouble is not null && !_mustRenew)
        {
            Try(Write);
        }

        if (_trouble is null && _isDirty)
        {
            Try(() =>
            {
                _file.Flush();
                _positions.Flush();
                _isDirty = false;
            });
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _file.Dispose();
        _positions.Dispose();
    }

    private void Write()
    {
        _isDirty = true;
        _file.Write(_mark);
        _positions.Write(_position);
    }

    /// <summary>What is in the store is durable, whatever becomes of its mark.</summary>
    private void Try(Action action)
    {
        try
        {
            action();
            _trouble = null;
        }
        catch (Exception e) when (e is StoreException or IOException or UnauthorizedAccessException)
        {
            _trouble = e.Message;
        }
    }
}
