using System.Globalization;
using System.Net;
using System.Net.Sockets;

namespace Ripple.Tests.Shared;

/// <summary>
/// Ports for hosts that keep theirs when they are started again. Below the range that systems take the ports of outgoing connections from
/// (32768 on Linux): a port that was merely free a moment ago may be somebody's outgoing connection when the host comes to it. For the same
/// reason each test process has ports of its own: another's host may be stopped just now, and come back.
/// </summary>
internal static class TestPorts
{
    private const int First = 20_000;
    private const int End = 32_000;
    private const int PerProcess = 500;
    private static readonly Lock Gate = new();
    // Held, by its being open, until the process ends.
    private static FileStream? _claim;
    private static int _first;
    private static int _given;

    public static int Tcp() => Next(SocketType.Stream, ProtocolType.Tcp);

    public static int Udp() => Next(SocketType.Dgram, ProtocolType.Udp);

    private static int Next(SocketType type, ProtocolType protocol)
    {
        lock (Gate)
        {
            _claim ??= Claim(out _first);
            for (int tries = 0; tries < PerProcess; tries++)
            {
                int port = _first + (_given++ % PerProcess);
                try
                {
                    using var socket = new Socket(AddressFamily.InterNetwork, type, protocol);
                    socket.Bind(new IPEndPoint(IPAddress.Any, port));
                    return port;
                }
                catch (SocketException e) when (e.SocketErrorCode is SocketError.AddressAlreadyInUse or SocketError.AccessDenied)
                {
                    // Somebody else's.
                }
            }
        }

        throw new InvalidOperationException($"No {protocol} port from {_first} to {_first + PerProcess} is free on this machine.");
    }

    private static FileStream Claim(out int first)
    {
        string folder = Directory.CreateDirectory(Path.Combine(Path.GetTempPath(), "ripple-test-ports")).FullName;
        for (first = First; first < End; first += PerProcess)
        {
            try
            {
                return new FileStream(
                    Path.Combine(
                        folder, first.ToString(CultureInfo.InvariantCulture)), FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None);
            }
            catch (Exception e) when (e is IOException or UnauthorizedAccessException)
            {
                // Another process has them.
            }
        }

        throw new InvalidOperationException(
            $"Test processes have claimed all ports from {First} to {End}; the claims are open files in {folder}.");
    }
}
