using System.Buffers.Text;
using System.Diagnostics;
using System.Globalization;
using Microsoft.Win32.SafeHandles;

namespace Ripple.Load.Processes;

/// <summary>
/// Reads a process's resident memory again and again, and takes next to none for it: what is watched for growth must not be the watching.
/// One thread.
/// </summary>
internal sealed class ResidentMemory : IDisposable
{
    private readonly SafeFileHandle? _file;
    private readonly Process? _process;

    public ResidentMemory(int processId)
    {
        string path = string.Create(CultureInfo.InvariantCulture, $"/proc/{processId}/statm");
        if (File.Exists(path))
        {
            _file = File.OpenHandle(path);
            return;
        }

        _process = Process.GetProcessById(processId);
    }

    /// <summary>In megabytes.</summary>
    public double Mb
    {
        get
        {
            if (_process is not null)
            {
                _process.Refresh();
                return _process.WorkingSet64 / 1e6;
            }

            // "size resident shared ...", in pages.
            Span<byte> text = stackalloc byte[256];
            text = text[..RandomAccess.Read(_file!, text, 0)];
            text = text[(text.IndexOf((byte)' ') + 1)..];
            return Utf8Parser.TryParse(text, out long pages, out _) ? pages * Environment.SystemPageSize / 1e6 : double.NaN;
        }
    }

    public void Dispose()
    {
        _file?.Dispose();
        _process?.Dispose();
    }
}
