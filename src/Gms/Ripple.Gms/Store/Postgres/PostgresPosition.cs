using System.Buffers.Binary;
using System.Globalization;
using Microsoft.Win32.SafeHandles;
using Ripple.Engine.Releases;

namespace Ripple.Gms.Store.Postgres;

/// <summary>The newest commit that a host saw durable, and the server it saw it at.</summary>
/// <param name="Number">How many transactions were committed.</param>
/// <param name="Nonce">The nonce of the newest of them.</param>
/// <param name="Server">The server.</param>
internal readonly record struct PostgresPosition(long Number, long Nonce, PostgresServer Server)
{
    /// <summary>Null if a database is the one of this position, at it or later; else what it is a copy of.</summary>
    /// <param name="server">The server that answers now.</param>
    /// <param name="number">The position of the database.</param>
    /// <param name="nonces">The nonces of its newest commits, the newest first.</param>
    public string? WhatDiffers(PostgresServer server, long number, IReadOnlyList<long> nonces)
    {
        if (Server.System != 0 && server.System != 0 && Server.System != server.System)
        {
            return "its database is of another server than the one that was used here";
        }

        if (server.Timeline != 0 && server.Timeline < Server.Timeline)
        {
            return Text($"its server is on timeline {server.Timeline}, and timeline {Server.Timeline} was used here");
        }

        if (number < Number)
        {
            return Text($"it has {number} commits, and {Number} were seen here");
        }

        return number - Number < nonces.Count && nonces[(int)(number - Number)] != Nonce
            ? Text($"its commit {Number} is another one than the one that was seen here")
            : null;
    }

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}

/// <summary>
/// A position in a file: one cell with a checksum, written in place. A cell lies within a sector of a disk, so that it is written whole or
/// not at all; one that was not is none.
/// </summary>
internal sealed class PostgresPositionFile : IDisposable
{
    private const int CellBytes = 64;
    private const int SumOffset = CellBytes - sizeof(ulong);

    // "RipP", and the version of the layout.
    private const ulong Magic = 0x5269_7050_0000_0001;

    private readonly SafeFileHandle _handle;

    /// <summary>Opens the file, or makes an empty one for its owner alone.</summary>
    public PostgresPositionFile(string path)
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

        _handle = File.OpenHandle(path, FileMode.OpenOrCreate, FileAccess.ReadWrite);
        Span<byte> cell = stackalloc byte[CellBytes];
        if (RandomAccess.Read(_handle, cell, 0) == CellBytes
            && BinaryPrimitives.ReadUInt64LittleEndian(cell) == Magic
            && BinaryPrimitives.ReadUInt64LittleEndian(cell[SumOffset..]) == SumOf(cell))
        {
            Position = new PostgresPosition(
                BinaryPrimitives.ReadInt64LittleEndian(cell[8..]),
                BinaryPrimitives.ReadInt64LittleEndian(cell[16..]),
                new PostgresServer(
                    BinaryPrimitives.ReadInt64LittleEndian(cell[24..]), BinaryPrimitives.ReadUInt32LittleEndian(cell[32..])));
        }
    }

    /// <summary>What the file said when it was opened; null if nothing.</summary>
    public PostgresPosition? Position { get; }

    public void Write(PostgresPosition position)
    {
        Span<byte> cell = stackalloc byte[CellBytes];
        cell.Clear();
        BinaryPrimitives.WriteUInt64LittleEndian(cell, Magic);
        BinaryPrimitives.WriteInt64LittleEndian(cell[8..], position.Number);
        BinaryPrimitives.WriteInt64LittleEndian(cell[16..], position.Nonce);
        BinaryPrimitives.WriteInt64LittleEndian(cell[24..], position.Server.System);
        BinaryPrimitives.WriteUInt32LittleEndian(cell[32..], position.Server.Timeline);
        BinaryPrimitives.WriteUInt64LittleEndian(cell[SumOffset..], SumOf(cell));
        RandomAccess.Write(_handle, cell, 0);
    }

    public void Flush() => RandomAccess.FlushToDisk(_handle);

    public void Dispose() => _handle.Dispose();

    private static ulong SumOf(ReadOnlySpan<byte> cell)
    {
        Span<byte> digest = stackalloc byte[Digest160.Size];
        Digest160.Hash("ripple position"u8, cell[..SumOffset]).Write(digest);
        return BinaryPrimitives.ReadUInt64LittleEndian(digest);
    }
}
