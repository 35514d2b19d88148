using System.IO.MemoryMappedFiles;

namespace Ripple.Load.Events;

/// <summary>
/// Whole numbers in a file that processes share while they run, and that a killed one leaves as they were. Any thread; who uses it sees to
/// the order of accesses.
/// </summary>
internal sealed unsafe class SharedWords : IDisposable
{
    private readonly MemoryMappedFile _file;
    private readonly MemoryMappedViewAccessor _view;
    private readonly long* _words;
    private readonly long _count;

    /// <summary>Opens the file, or makes it, with zeros.</summary>
    public SharedWords(string path, long count)
    {
        _count = count;
        var stream = new FileStream(path, FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.ReadWrite);
        _file = MemoryMappedFile.CreateFromFile(
            stream, null, count * sizeof(long), MemoryMappedFileAccess.ReadWrite, HandleInheritability.None, leaveOpen: false);
        _view = _file.CreateViewAccessor();
        byte* begin = null;
        _view.SafeMemoryMappedViewHandle.AcquirePointer(ref begin);
        _words = (long*)begin;
    }

    public ref long this[long index]
    {
        get
        {
            ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual((ulong)index, (ulong)_count);
            return ref _words[index];
        }
    }

    public void Dispose()
    {
        _view.SafeMemoryMappedViewHandle.ReleasePointer();
        _view.Dispose();
        _file.Dispose();
    }
}
