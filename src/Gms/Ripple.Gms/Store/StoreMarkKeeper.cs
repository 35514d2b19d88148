namespace Ripple.Gms.Store;

/// <summary>
/// Keeps the mark of an open store: judges the store by it, renews it when a host begins on a store that has none or is a copy, and writes
/// into it what became durable. What the disk does not take is written later: until then the mark is an older one, as after a power cut,
/// and a copy of that moment would not be known as one. The store's thread.
/// </summary>
internal sealed class StoreMarkKeeper : IDisposable
{
    private const long FlushMs = 1_000;
    private readonly StoreMarkFile _file;
    private StoreMark _mark;
    private bool _mustRenew;
    private volatile string? _trouble;
    private long _flushedMs = Environment.TickCount64;

    /// <summary>Opens the mark beside a store.</summary>
    public StoreMarkKeeper(string storePath, SqliteDatabase database)
    {
        _file = new StoreMarkFile(StoreMarkFile.PathOf(storePath));
        _mark = _file.Mark ?? StoreMark.None;
        Guid? id = SqliteReader.MarkId(database);
        var reader = new SqliteReader(database);
        uint epoch = (uint)SqliteReader.Setting(database, "slot_epoch");
        Copy = StoreMark.Judge(_file.Mark, id, epoch, reader.Has);
        _mustRenew = id is null || Copy is not null;
    }

    /// <summary>What the store is a copy of; null if it is none, or a host has gone on from it.</summary>
    public StoreCopy? Copy { get; private set; }

    /// <summary>Why the mark in the file is older than the store; null if it is not. Any thread.</summary>
    public string? Trouble => _trouble;

    /// <summary>
    /// Called inside a transaction that raises the slot epoch: if the store needs a new mark, writes it and gives the id that the
    /// transaction stores. A mark without its transaction makes the store the copy that it was.
    /// </summary>
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
    public void OnDurable(IEnumerable<CommitBatch> batches)
    {
        StoreMark mark = _mark;
        bool hasBegun = false;
        foreach (CommitBatch batch in batches)
        {
            _mark = _mark.After(batch);
            hasBegun |= batch.SlotEpoch is not null;
        }

        if (hasBegun)
        {
            _mustRenew = false;
            Copy = null;
        }

        if (!_mustRenew && !ReferenceEquals(_mark, mark))
        {
            Try(() => _file.Write(_mark));
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
            Try(() => _file.Write(_mark));
        }

        if (_trouble is null)
        {
            Try(_file.Flush);
        }
    }

    /// <summary>What is in the store is durable, whatever becomes of its mark.</summary>
    private void Try(Action action)
    {
        try
        {
            action();
            _trouble = null;
        }
        catch (StoreException e)
        {
            _trouble = e.Message;
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _file.Dispose();
}
