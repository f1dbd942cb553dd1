//! Tests the driver over TCP connections that fail: it reports an error in time, and the next command works over
//! another connection.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;
use std::time::Duration;

use cain_runtime::HostController;
use cain_runtime::device::{Board, Device, DeviceError, LinkError, TcpLink, Transport};
use cain_runtime::isa::asm::{A, B, mov};
use cain_runtime::sim::Array;

fn board() -> Board<Array> {
    let mut array = Array::new(8, 8);
    array.load_reg(A, &[1.0; 64]).unwrap();
    Board::new(array)
}

/// Connects over TCP to a peer with this behaviour.
fn over_tcp(peer: impl FnOnce(TcpStream) + Send + 'static) -> Result<(), DeviceError> {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let peer = thread::spawn(move || peer(listener.accept().unwrap().0));
    let link = TcpLink::connect(address, Duration::from_millis(100)).unwrap();
    let result = Device::connect(link).map(drop);
    peer.join().unwrap();
    result
}

#[test]
fn a_peer_that_says_nothing() {
    let silent = |mut stream: TcpStream| while stream.read(&mut [0; 64]).is_ok_and(|count| count > 0) {};
    assert_eq!(over_tcp(silent), Err(DeviceError::Link(LinkError::TimedOut)));
}

#[test]
fn a_peer_that_hangs_up() {
    assert_eq!(over_tcp(drop), Err(DeviceError::Link(LinkError::Closed)));
}

#[test]
fn a_peer_that_trickles_does_not_extend_the_time() {
    // The peer sends a long answer, as long as the driver listens.
    let trickling = |mut stream: TcpStream| {
        let start = [0x5C, 0xA5, 0xFF, 1, 5, 0, 0, 0];
        for byte in start.into_iter().chain(std::iter::repeat(0)) {
            thread::sleep(Duration::from_millis(40));
            if stream.write_all(&[byte]).is_err() {
                return;
            }
        }
    };
    assert_eq!(over_tcp(trickling), Err(DeviceError::Link(LinkError::TimedOut)));
}

#[test]
fn a_peer_that_takes_nothing_does_not_extend_the_time() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut link = TcpLink::connect(listener.local_addr().unwrap(), Duration::from_millis(100)).unwrap();
    let (stream, _) = listener.accept().unwrap();
    // This is more than the buffers on the way can hold.
    link.begin();
    link.write(&vec![0; 64 << 20]).unwrap();
    assert_eq!(link.flush(), Err(LinkError::TimedOut));
    drop(stream);
}

/// The timeout is longer than the clock can count.
#[test]
fn time_without_end() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let server = thread::spawn(move || {
        let mut link = TcpLink::new(listener.accept().unwrap().0, Duration::MAX).unwrap();
        let mut board = board();
        while board.answer(&mut link).is_ok() {}
    });
    let mut device = Device::connect(TcpLink::connect(address, Duration::MAX).unwrap()).unwrap();
    assert_eq!(device.execute(mov(B, A)), Ok(()));
    drop(device);
    server.join().unwrap();
}

#[test]
fn a_driver_goes_on_over_another_connection() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    // The first connection ends after the session has begun, the second one lasts.
    let server = thread::spawn(move || {
        for requests in [1, usize::MAX] {
            let mut link = TcpLink::new(listener.accept().unwrap().0, Duration::from_secs(60)).unwrap();
            let mut board = board();
            for _ in 0..requests {
                if board.answer(&mut link).is_err() {
                    break;
                }
            }
        }
    });
    let connect = || TcpLink::connect(address, Duration::from_secs(60)).unwrap();
    let mut device = Device::connect(connect()).unwrap();
    assert_eq!(device.execute(mov(B, A)), Err(DeviceError::Link(LinkError::Closed)));
    assert_eq!(device.execute(mov(B, A)), Err(DeviceError::Disconnected));
    device.reconnect(connect()).unwrap();
    assert_eq!(device.execute(mov(B, A)), Ok(()));
    drop(device);
    server.join().unwrap();
}
