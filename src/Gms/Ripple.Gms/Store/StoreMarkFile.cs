using System.Buffers.Binary;
using System.Collections.Immutable;
using Microsoft.Win32.SafeHandles;
using Ripple.Engine.Releases;

namespace Ripple.Gms.Store;

/// <summary>
/// A mark in a file: a cell for the store, and one for each application, each with a checksum, written in place. A cell lies within a
/// sector of a disk, so that it is written whole or not at all.
/// </summary>
internal sealed class StoreMarkFile : IDisposable
{
    private const int CellBytes = 64;
    private const int SumOffset = CellBytes - sizeof(ulong);

    // "RipM", and the version of the layout.
    private const ulong Magic = 0x5269_704D_0000_0001;

    private readonly string _path;
    private readonly SafeFileHandle _handle;
    private readonly Dictionary<uint, int> _cells = [];
    private bool _isDirty;

    /// <summary>Opens the mark, or makes an empty file that holds none yet.</summary>
    /// <exception cref="StoreException">The file cannot be used.</exception>
    public StoreMarkFile(string path)
    {
        _path = path;
        _handle = Guarded(() =>
        {
            if (!OperatingSystem.IsWindows() && !File.Exists(path))
            {
                using FileStream made = new(path, new FileStreamOptions
                {
                    Mode = FileMode.CreateNew,
                    Access = FileAccess.Write,
                    UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite,
                });
            }

            return File.OpenHandle(path, FileMode.OpenOrCreate, FileAccess.ReadWrite);
        });
        Mark = Guarded(Read);
    }

    /// <summary>What the file says; null if it says nothing, its first cell is damaged, or nobody knows what a flush left.</summary>
    public StoreMark? Mark { get; private set; }

    /// <summary>The mark that belongs to a store.</summary>
    public static string PathOf(string storePath) => storePath + ".mark";

    /// <summary>Replaces the whole mark, which must have another id than the store, and flushes it.</summary>
    public void Replace(StoreMark mark) => Guarded(() =>
    {
        // The store's cell first: from then on the applications' cells count for nothing.
        WriteStore(mark);
        RandomAccess.FlushToDisk(_handle);
        RandomAccess.SetLength(_handle, CellBytes);
        _cells.Clear();
        Mark = mark with { Releases = StoreMark.None.Releases };
        WriteChanged(mark);
        Flush();
        return 0;
    });

    /// <summary>Writes what differs. It is on the disk when it is flushed: a power cut may leave an older mark.</summary>
    public void Write(StoreMark mark) => Guarded(() =>
    {
        StoreMark? old = Mark;
        if (old is null || old.Id != mark.Id || old.IsRestored != mark.IsRestored || old.SlotEpoch != mark.SlotEpoch
            || old.Generation != mark.Generation)
        {
            WriteStore(mark);
        }

        WriteChanged(mark);
        return 0;
    });

    /// <summary>Flushes what was written since the last time. What could not be flushed is written again by the next write.</summary>
    public void Flush()
    {
        if (!_isDirty)
        {
            return;
        }

        Guarded(() =>
        {
            try
            {
                RandomAccess.FlushToDisk(_handle);
                _isDirty = false;
                return 0;
            }
            catch
            {
                Mark = null;
                throw;
            }
        });
    }

    /// <inheritdoc/>
    public void Dispose() => _handle.Dispose();

    private StoreMark? Read()
    {
        byte[] bytes = new byte[Math.Min(RandomAccess.GetLength(_handle), int.MaxValue) / CellBytes * CellBytes];
        int read = RandomAccess.Read(_handle, bytes, 0);
        ReadOnlySpan<byte> store = bytes.AsSpan(0, Math.Min(CellBytes, read));
        if (read != bytes.Length || !IsWhole(store) || BinaryPrimitives.ReadUInt64LittleEndian(store) != Magic)
        {
            return null;
        }

        ImmutableSortedDictionary<uint, MarkedRelease>.Builder releases = StoreMark.None.Releases.ToBuilder();
        for (int i = 1; i < bytes.Length / CellBytes; i++)
        {
            ReadOnlySpan<byte> cell = bytes.AsSpan(i * CellBytes, CellBytes);
            if (IsWhole(cell))
            {
                uint topic = BinaryPrimitives.ReadUInt32LittleEndian(cell);
                _cells[topic] = i;
                releases[topic] = new MarkedRelease(
                    BinaryPrimitives.ReadUInt32LittleEndian(cell[4..]),
                    BinaryPrimitives.ReadUInt64LittleEndian(cell[8..]),
                    Digest160.Read(cell.Slice(16, Digest160.Size)));
            }
        }

        return new StoreMark(
            new Guid(store.Slice(8, 16), bigEndian: true),
            store[24] != 0,
            BinaryPrimitives.ReadUInt32LittleEndian(store[28..]),
            BinaryPrimitives.ReadUInt32LittleEndian(store[32..]),
            releases.ToImmutable());
    }

    private void WriteStore(StoreMark mark)
    {
        Span<byte> cell = stackalloc byte[CellBytes];
        cell.Clear();
        BinaryPrimitives.WriteUInt64LittleEndian(cell, Magic);
        mark.Id.TryWriteBytes(cell[8..], bigEndian: true, out _);
        cell[24] = mark.IsRestored ? (byte)1 : (byte)0;
        BinaryPrimitives.WriteUInt32LittleEndian(cell[28..], mark.SlotEpoch);
        BinaryPrimitives.WriteUInt32LittleEndian(cell[32..], mark.Generation);
        WriteCell(0, cell);
    }

    private void WriteChanged(StoreMark mark)
    {
        Span<byte> cell = stackalloc byte[CellBytes];
        foreach ((uint topic, MarkedRelease newest) in mark.Releases)
        {
            if (Mark is { } old && old.Releases.TryGetValue(topic, out MarkedRelease known) && known == newest)
            {
                continue;
            }

            if (!_cells.TryGetValue(topic, out int index))
            {
                index = (int)(RandomAccess.GetLength(_handle) / CellBytes);
            }

            cell.Clear();
            BinaryPrimitives.WriteUInt32LittleEndian(cell, topic);
            BinaryPrimitives.WriteUInt32LittleEndian(cell[4..], newest.Generation);
            BinaryPrimitives.WriteUInt64LittleEndian(cell[8..], newest.Release);
            newest.Id.Write(cell[16..]);
            WriteCell(index, cell);
            // Now, for a full disk makes no cell: the next application would be given this one's place.
            _cells[topic] = index;
        }

        Mark = mark;
    }

    private void WriteCell(int index, Span<byte> cell)
    {
        BinaryPrimitives.WriteUInt64LittleEndian(cell[SumOffset..], SumOf(cell));
        RandomAccess.Write(_handle, cell, (long)index * CellBytes);
        _isDirty = true;
    }

    private static bool IsWhole(ReadOnlySpan<byte> cell) =>
        cell.Length == CellBytes && BinaryPrimitives.ReadUInt64LittleEndian(cell[SumOffset..]) == SumOf(cell);

    private static ulong SumOf(ReadOnlySpan<byte> cell)
    {
        Span<byte> digest = stackalloc byte[Digest160.Size];
        Digest160.Hash("ripple mark"u8, cell[..SumOffset]).Write(digest);
        return BinaryPrimitives.ReadUInt64LittleEndian(digest);
    }

    private T Guarded<T>(Func<T> action)
    {
        try
        {
            return action();
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new StoreException(
                $"The mark '{_path}' cannot be read or written ({e.Message}). Check its owner and rights, and the disk's space.", e);
        }
    }
}
